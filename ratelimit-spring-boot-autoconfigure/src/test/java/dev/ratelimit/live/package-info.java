@NullMarked
package dev.ratelimit.live;

import org.jspecify.annotations.NullMarked;
