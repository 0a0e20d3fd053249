@NullMarked
package dev.ratelimit.benchmarks.report;

import org.jspecify.annotations.NullMarked;
