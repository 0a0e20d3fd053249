@NullMarked
package dev.ratelimit.live.edit;

import org.jspecify.annotations.NullMarked;
