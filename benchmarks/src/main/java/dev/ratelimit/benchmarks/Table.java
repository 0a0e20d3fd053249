package dev.ratelimit.benchmarks;

import dev.ratelimit.benchmarks.report.Layout;
import dev.ratelimit.benchmarks.report.Results;

/**
 * One table: what it looks like, and how its figures are measured.
 */
interface Table {

	Layout layout();

	Results measure(Session session) throws Exception;

}
