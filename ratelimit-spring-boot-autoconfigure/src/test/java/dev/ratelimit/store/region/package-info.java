@NullMarked
package dev.ratelimit.store.region;

import org.jspecify.annotations.NullMarked;
