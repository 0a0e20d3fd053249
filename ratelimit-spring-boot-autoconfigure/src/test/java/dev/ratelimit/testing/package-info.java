@NullMarked
package dev.ratelimit.testing;

import org.jspecify.annotations.NullMarked;
