@NullMarked
package dev.ratelimit.benchmarks;

import org.jspecify.annotations.NullMarked;
