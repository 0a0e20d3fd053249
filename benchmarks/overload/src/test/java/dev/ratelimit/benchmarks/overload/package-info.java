@NullMarked
package dev.ratelimit.benchmarks.overload;

import org.jspecify.annotations.NullMarked;
