@NullMarked
package dev.ratelimit.ban.redis;

import org.jspecify.annotations.NullMarked;
