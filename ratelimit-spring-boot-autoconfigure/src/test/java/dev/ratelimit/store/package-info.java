@NullMarked
package dev.ratelimit.store;

import org.jspecify.annotations.NullMarked;
