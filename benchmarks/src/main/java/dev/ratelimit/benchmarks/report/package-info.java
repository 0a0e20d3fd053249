/**
 * Figures of rounds, and the tables, files, and charts that are created from them.
 */
@NullMarked
package dev.ratelimit.benchmarks.report;

import org.jspecify.annotations.NullMarked;
