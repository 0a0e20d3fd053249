package dev.ratelimit.benchmarks;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * The settings of a run, from the system properties with the names of the components. The
 * properties of the two paces are {@code warmup}, {@code measure}, and {@code rounds},
 * for HTTP with the prefix {@code http.}. Durations are in ISO 8601, as in
 * {@code -Dtables=strict,memory -Dmeasure=PT4S}.
 *
 * @param quick whether the run only shows that everything runs, with few keys and short
 * rounds
 * @param tables the tables to measure; by default all, or in a quick run one of each kind
 * @param rows the parts of the names of the rows to measure; all if there are none
 * @param decisions the pace of decisions in one process
 * @param http the pace of requests over HTTP
 * @param connections the number of connections of the load generator
 * @param out the directory for the figures
 * @param from a file of figures from which tables are written, instead of measuring
 * @param docs the directory of the pages in which tables and charts are replaced
 * @param before the top of a checkout of this project, with the jars of an earlier build
 * to measure beside this one
 */
record Settings(boolean quick, List<String> tables, List<String> rows, Pace decisions, Pace http, int connections,
		Path out, Optional<Path> from, Optional<Path> docs, Optional<Path> before) {

	/** One table of each kind. Together, they take less than two minutes. */
	private static final String QUICK_TABLES = "strict,limits,memory,growth-keys,http-rejected,http-rules,grpc,heap,live";

	static Settings of(Properties properties) {
		boolean quick = Boolean.parseBoolean(properties.getProperty("quick", "false"));
		return new Settings(quick, list(properties, "tables", (quick) ? QUICK_TABLES : ""),
				list(properties, "rows", ""),
				pace(properties, "",
						(quick) ? new Pace(millis(200), millis(100), millis(200), 2)
								: new Pace(millis(10_000), millis(500), millis(3_000), 7)),
				pace(properties, "http.",
						(quick) ? new Pace(millis(0), millis(0), millis(1_000), 1)
								: new Pace(millis(30_000), millis(0), millis(3_000), 10)),
				Integer.parseInt(properties.getProperty("connections", "32")),
				Path.of(properties.getProperty("out", "benchmarks/target/results")), path(properties, "from"),
				path(properties, "docs"), path(properties, "before"));
	}

	/**
	 * Return these settings with another value of {@code quick}, for tables from a file
	 * of figures.
	 */
	Settings withQuick(boolean other) {
		return new Settings(other, this.tables, this.rows, this.decisions, this.http, this.connections, this.out,
				this.from, this.docs, this.before);
	}

	private static Pace pace(Properties properties, String prefix, Pace standard) {
		return new Pace(duration(properties, prefix + "warmup", standard.warmup()), standard.ramp(),
				duration(properties, prefix + "measure", standard.measure()),
				Integer.parseInt(properties.getProperty(prefix + "rounds", String.valueOf(standard.rounds()))));
	}

	boolean wantsTable(String id) {
		return this.tables.isEmpty() || this.tables.contains(id);
	}

	boolean wantsRow(String name) {
		return this.rows.isEmpty() || this.rows.stream().anyMatch(name::contains);
	}

	/**
	 * Return a number of keys, subjects, or buckets. In a quick run, it is small.
	 */
	int many(int number) {
		return (this.quick) ? Math.min(number, 5_000) : number;
	}

	/**
	 * Return the options for the JVMs of workers and applications. In a quick run, their
	 * compiler does less work, so that they start soon.
	 */
	static List<String> jvmOptions(String property, String standard) {
		String quick = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx512m";
		String options = System.getProperty(property, (Boolean.getBoolean("quick")) ? quick : standard);
		return Stream.of(options.split(" ")).filter((option) -> !option.isEmpty()).toList();
	}

	private static List<String> list(Properties properties, String name, String standard) {
		return Stream.of(properties.getProperty(name, standard).split(","))
			.map(String::trim)
			.filter((part) -> !part.isEmpty())
			.toList();
	}

	private static Duration duration(Properties properties, String name, Duration standard) {
		return Optional.ofNullable(properties.getProperty(name)).map(Duration::parse).orElse(standard);
	}

	private static Optional<Path> path(Properties properties, String name) {
		return Optional.ofNullable(properties.getProperty(name)).map(Path::of);
	}

	private static Duration millis(long millis) {
		return Duration.ofMillis(millis);
	}

}
