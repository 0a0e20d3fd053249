@NullMarked
package dev.ratelimit.benchmarks.openloop;

import org.jspecify.annotations.NullMarked;
