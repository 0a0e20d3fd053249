@NullMarked
package dev.ratelimit.live.redis;

import org.jspecify.annotations.NullMarked;
