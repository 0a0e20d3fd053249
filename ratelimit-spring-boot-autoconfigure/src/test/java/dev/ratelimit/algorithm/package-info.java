@NullMarked
package dev.ratelimit.algorithm;

import org.jspecify.annotations.NullMarked;
