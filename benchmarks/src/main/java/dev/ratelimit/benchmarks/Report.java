package dev.ratelimit.benchmarks;

import java.io.PrintStream;
import java.util.Locale;

/**
 * Prints the Markdown.
 */
final class Report {

	private static final String HEADER = """
			| row | decisions/s | lowest..highest | of floor | p50 ms | p99 ms | Redis calls/decision \
			| client CPU us/decision | client bytes/decision | Redis CPU us/decision |
			|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|""";

	private static final String ROW = "| %s | %,.0f | %,.0f..%,.0f | %s | %.3f | %.3f | %.2f | %.1f | %,.0f | %.1f |%n";

	private final PrintStream out;

	Report(PrintStream out) {
		this.out = out;
	}

	void environment(Settings settings, String redisVersion) {
		print("JDK %s (%s), %d cores, Redis %s, %s %s.%n%n", System.getProperty("java.version"),
				System.getProperty("java.vendor"), Runtime.getRuntime().availableProcessors(), redisVersion,
				System.getProperty("os.name"), System.getProperty("os.arch"));
		print("Medians of %d interleaved rounds, %s measured after %s of warm-up each; limit %,d per %s.%n",
				settings.rounds(), settings.measure(), settings.warmup(), settings.limit().capacity(),
				settings.limit().period());
	}

	void scenario(Scenario scenario, Results<Measurement> results) {
		print("%n### %s%n%n%s%n", scenario, HEADER);
		results.names().forEach((name) -> row(name, results));
	}

	private void row(String name, Results<Measurement> results) {
		print(ROW, name, results.median(name, Measurement::decisionsPerSecond),
				results.lowest(name, Measurement::decisionsPerSecond),
				results.highest(name, Measurement::decisionsPerSecond), ratioToFloor(name, results),
				results.median(name, Measurement::p50Millis), results.median(name, Measurement::p99Millis),
				results.median(name, Measurement::callsPerDecision), results.median(name, Measurement::clientMicros),
				results.median(name, Measurement::clientBytes), results.median(name, Measurement::redisMicros));
	}

	private String ratioToFloor(String name, Results<Measurement> results) {
		if (!results.names().contains(Contestants.FLOOR)) {
			return "-";
		}
		return String.format(Locale.ROOT, "%.2f",
				results.medianRatio(name, Contestants.FLOOR, Measurement::decisionsPerSecond));
	}

	private void print(String format, Object... arguments) {
		this.out.printf(Locale.ROOT, format, arguments);
	}

}
