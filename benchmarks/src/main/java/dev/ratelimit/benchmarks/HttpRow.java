package dev.ratelimit.benchmarks;

import java.util.ArrayList;
import java.util.List;

/**
 * A row of a table over HTTP: how the application limits.
 *
 * @param name what the table calls it
 * @param application the application that it runs
 * @param field the rate limit header of its responses; empty if there is none
 * @param properties what makes the application do so
 */
record HttpRow(String name, Application application, String field, List<String> properties) {

	static final String NONE = "no limiter";

	static final String MEMORY = "this library, memory";

	private static final String DRAFT = "RateLimit";

	private static final String BUCKET4J = "X-Rate-Limit-Remaining";

	HttpRow {
		properties = List.copyOf(properties);
	}

	static HttpRow none() {
		return new HttpRow(NONE, Application.HTTP, "", List.of("ratelimit.enabled=false"));
	}

	/**
	 * A filter of the application itself: {@code fields}, {@code memory}, {@code leased},
	 * or {@code strict}.
	 */
	static HttpRow handWritten(String filter) {
		String name = (filter.equals("fields")) ? "fields alone" : "hand-written, " + filter;
		return new HttpRow(name, Application.HTTP, DRAFT,
				List.of("ratelimit.enabled=false", "benchmark.filter=" + filter));
	}

	static HttpRow memory() {
		return new HttpRow(MEMORY, Application.HTTP, DRAFT, List.of("ratelimit.store=memory"));
	}

	/**
	 * The library on Redis; with a deadline that a busy machine does not miss, so that
	 * Redis counts each request.
	 */
	static HttpRow redis(String consistency) {
		return new HttpRow("this library, " + consistency, Application.HTTP, DRAFT, List.of("ratelimit.store=redis",
				"ratelimit.deadline=1s", "ratelimit.defaults.consistency=" + consistency));
	}

	/**
	 * The starter of bucket4j, with a cache that its own documentation offers.
	 */
	static HttpRow bucket4j(String name, String cache, String filter) {
		return new HttpRow("bucket4j's starter, " + name, Application.BUCKET4J, BUCKET4J,
				List.of("bucket4j.cache-to-use=" + cache, "benchmark.filter-method=" + filter));
	}

	HttpRow named(String other) {
		return new HttpRow(other, this.application, this.field, this.properties);
	}

	HttpRow with(List<String> more) {
		List<String> all = new ArrayList<>(this.properties);
		all.addAll(more);
		return new HttpRow(this.name, this.application, this.field, all);
	}

	/**
	 * Which jars.
	 */
	enum Application {

		/** With the library, and with filters written by hand. */
		HTTP("benchmarks/http/target", "http"),

		/** With bucket4j's starter, and without the library. */
		BUCKET4J("benchmarks/http-bucket4j/target", "http-bucket4j");

		private final String directory;

		private final String file;

		Application(String directory, String file) {
			this.directory = directory;
			this.file = file;
		}

		String directory() {
			return this.directory;
		}

		String file() {
			return this.file;
		}

	}

}
