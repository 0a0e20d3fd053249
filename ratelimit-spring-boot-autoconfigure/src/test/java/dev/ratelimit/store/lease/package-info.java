@NullMarked
package dev.ratelimit.store.lease;

import org.jspecify.annotations.NullMarked;
