@NullMarked
package dev.ratelimit.store.hold;

import org.jspecify.annotations.NullMarked;
