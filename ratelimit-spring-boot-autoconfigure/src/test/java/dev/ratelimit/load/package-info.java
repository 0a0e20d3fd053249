@NullMarked
package dev.ratelimit.load;

import org.jspecify.annotations.NullMarked;
