/**
 * Figures of rounds, and what is made of them: tables, a file, charts.
 */
@NullMarked
package dev.ratelimit.benchmarks.report;

import org.jspecify.annotations.NullMarked;
