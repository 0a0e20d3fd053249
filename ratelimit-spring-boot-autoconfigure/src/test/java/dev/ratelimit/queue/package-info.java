@NullMarked
package dev.ratelimit.queue;

import org.jspecify.annotations.NullMarked;
