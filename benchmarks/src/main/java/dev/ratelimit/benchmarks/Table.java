package dev.ratelimit.benchmarks;

import dev.ratelimit.benchmarks.report.Layout;
import dev.ratelimit.benchmarks.report.Results;

/**
 * One table: its layout, and the measurement of its figures.
 */
interface Table {

	Layout layout();

	Results measure(Session session) throws Exception;

}
