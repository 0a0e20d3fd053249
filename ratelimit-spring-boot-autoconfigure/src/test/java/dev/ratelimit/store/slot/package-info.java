@NullMarked
package dev.ratelimit.store.slot;

import org.jspecify.annotations.NullMarked;
