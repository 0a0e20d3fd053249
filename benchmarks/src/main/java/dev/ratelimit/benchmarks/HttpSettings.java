package dev.ratelimit.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * What a system property of the same name changes, as in {@code -Dmeasure=PT8S
 * -Dstacks=servlet -Drows=memory}; the row without a limiter is always there. With
 * {@code -Drefused=true} nearly all is refused, and the row in memory is always there.
 */
record HttpSettings(Duration warmup, Duration measure, int rounds, int connections, List<HttpStack> stacks,
		List<HttpRow> rows, boolean refused) {

	static HttpSettings fromSystemProperties() {
		boolean refused = Boolean.getBoolean("refused");
		List<HttpRow> rows = (refused) ? HttpRow.refusing() : HttpRow.all();
		return new HttpSettings(Duration.parse(System.getProperty("warmup", "PT60S")),
				Duration.parse(System.getProperty("measure", "PT2S")), Integer.getInteger("rounds", 20),
				Integer.getInteger("connections", 32),
				Stream.of(HttpStack.values()).filter((stack) -> isWanted("stacks", stack.toString())).toList(),
				rows.stream().filter((row) -> row.equals(rows.get(0)) || isWanted("rows", row.name())).toList(),
				refused);
	}

	/**
	 * The row that the others are compared with.
	 */
	String baseline() {
		return this.rows.get(0).name();
	}

	private static boolean isWanted(String property, String name) {
		String lowercase = name.toLowerCase(Locale.ROOT);
		return Stream.of(System.getProperty(property, "").toLowerCase(Locale.ROOT).split(","))
			.anyMatch(lowercase::contains);
	}

}
