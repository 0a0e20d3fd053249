@NullMarked
package dev.ratelimit.store.guard;

import org.jspecify.annotations.NullMarked;
