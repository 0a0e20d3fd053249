@NullMarked
package dev.ratelimit.hash;

import org.jspecify.annotations.NullMarked;
