@NullMarked
package dev.ratelimit.store.redis;

import org.jspecify.annotations.NullMarked;
