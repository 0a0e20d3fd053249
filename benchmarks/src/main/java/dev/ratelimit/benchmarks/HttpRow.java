package dev.ratelimit.benchmarks;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A row of a table over HTTP: an application with a limiter.
 *
 * @param name the name of the row
 * @param application the application that the row runs
 * @param checkout the top of the project in which the application was built
 * @param field the rate limit header of its responses; empty if there is none
 * @param properties the properties that configure the limiter
 */
record HttpRow(String name, Application application, Path checkout, String field, List<String> properties) {

	static final String NONE = "no limiter";

	static final String MEMORY = "this library, memory";

	private static final Path THIS = Path.of("");

	private static final String DRAFT = "RateLimit";

	private static final String BUCKET4J = "X-Rate-Limit-Remaining";

	HttpRow {
		properties = List.copyOf(properties);
	}

	static HttpRow none() {
		return new HttpRow(NONE, Application.HTTP, THIS, "", List.of("ratelimit.enabled=false"));
	}

	/**
	 * Return a row with a filter of the application itself: {@code fields},
	 * {@code memory}, {@code leased}, or {@code strict}.
	 */
	static HttpRow handWritten(String filter) {
		String name = (filter.equals("fields")) ? "fields alone" : "hand-written, " + filter;
		return new HttpRow(name, Application.HTTP, THIS, DRAFT,
				List.of("ratelimit.enabled=false", "benchmark.filter=" + filter));
	}

	static HttpRow memory() {
		return new HttpRow(MEMORY, Application.HTTP, THIS, DRAFT, List.of("ratelimit.store=memory"));
	}

	/**
	 * Return a row with the library on Redis. A busy machine does not exceed the
	 * deadline, so that Redis counts each request.
	 */
	static HttpRow redis(String consistency) {
		return new HttpRow("this library, " + consistency, Application.HTTP, THIS, DRAFT, List
			.of("ratelimit.store=redis", "ratelimit.deadline=1s", "ratelimit.defaults.consistency=" + consistency));
	}

	/**
	 * Return a row with the starter of bucket4j, and with a cache that its documentation
	 * offers.
	 */
	static HttpRow bucket4j(String name, String cache, String filter) {
		return new HttpRow("bucket4j's starter, " + name, Application.BUCKET4J, THIS, BUCKET4J,
				List.of("bucket4j.cache-to-use=" + cache, "benchmark.filter-method=" + filter));
	}

	HttpRow named(String other) {
		return new HttpRow(other, this.application, this.checkout, this.field, this.properties);
	}

	HttpRow builtIn(Path other) {
		return new HttpRow(this.name, this.application, other, this.field, this.properties);
	}

	HttpRow with(List<String> more) {
		List<String> all = new ArrayList<>(this.properties);
		all.addAll(more);
		return new HttpRow(this.name, this.application, this.checkout, this.field, all);
	}

	/**
	 * An application, with the location of its jars.
	 */
	enum Application {

		/**
		 * The application with the library, and with filters that are written by hand.
		 */
		HTTP("benchmarks/http/target", "http"),

		/** The application with bucket4j's starter, without the library. */
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
