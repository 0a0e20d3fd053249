@NullMarked
package dev.ratelimit.live.file;

import org.jspecify.annotations.NullMarked;
