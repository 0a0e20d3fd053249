package dev.ratelimit.benchmarks;

import java.io.PrintStream;
import java.util.Locale;

/**
 * Prints the Markdown of the HTTP benchmark.
 */
final class HttpReport {

	private static final String HEADER = """
			| row | requests/s | lowest..highest | of %s | p50 ms | p99 ms | application CPU us/request \
			| Redis CPU us/request | Redis calls/request |
			|---|---:|---:|---:|---:|---:|---:|---:|---:|""";

	private static final String ROW = "| %s | %,.0f | %,.0f..%,.0f | %.2f | %.2f | %.2f | %.1f | %.1f | %.2f |%n";

	private final PrintStream out;

	private final String baseline;

	HttpReport(PrintStream out, String baseline) {
		this.out = out;
		this.baseline = baseline;
	}

	void environment(HttpSettings settings, String redisVersion) {
		print("JDK %s, %d cores, Redis %s; wrk with %d connections; medians of %d rounds in turns, %s each, after %s of"
				+ " warm-up.%n", System.getProperty("java.version"), Runtime.getRuntime().availableProcessors(),
				redisVersion, settings.connections(), settings.rounds(), settings.measure(), settings.warmup());
	}

	void stack(HttpStack stack, Results<HttpMeasurement> results) {
		print("%n### %s%n%n%s%n", stack, HEADER.formatted(this.baseline));
		results.names().forEach((name) -> row(name, results));
	}

	private void row(String name, Results<HttpMeasurement> results) {
		print(ROW, name, results.median(name, HttpMeasurement::requestsPerSecond),
				results.lowest(name, HttpMeasurement::requestsPerSecond),
				results.highest(name, HttpMeasurement::requestsPerSecond),
				results.medianRatio(name, this.baseline, HttpMeasurement::requestsPerSecond),
				results.median(name, HttpMeasurement::p50Millis), results.median(name, HttpMeasurement::p99Millis),
				results.median(name, HttpMeasurement::applicationMicros),
				results.median(name, HttpMeasurement::redisMicros), results.median(name, HttpMeasurement::redisCalls));
	}

	private void print(String format, Object... arguments) {
		this.out.printf(Locale.ROOT, format, arguments);
	}

}
