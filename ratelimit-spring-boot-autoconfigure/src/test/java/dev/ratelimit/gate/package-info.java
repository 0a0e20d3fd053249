@NullMarked
package dev.ratelimit.gate;

import org.jspecify.annotations.NullMarked;
