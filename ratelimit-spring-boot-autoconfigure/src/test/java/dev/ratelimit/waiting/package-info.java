@NullMarked
package dev.ratelimit.waiting;

import org.jspecify.annotations.NullMarked;
