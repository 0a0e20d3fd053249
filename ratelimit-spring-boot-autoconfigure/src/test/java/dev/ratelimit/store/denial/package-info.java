@NullMarked
package dev.ratelimit.store.denial;

import org.jspecify.annotations.NullMarked;
