package dev.ratelimit.rule;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Internal: the wait of requests that exceed the limits of a rule. Immutable.
 *
 * @param max the maximum wait, up to 30 s
 * @param queue the maximum number of requests that wait for one bucket at a time, at
 * least 1
 * @param fairBy the key whose values take turns; empty for the rule's own key or, if all
 * clients share the rule's buckets, the client
 */
public record Waiting(Duration max, int queue, Optional<KeyPart> fairBy) {

	/** The default number of requests that may wait for one bucket at a time. */
	public static final int DEFAULT_QUEUE = 100;

	private static final Pattern SIMPLE = Pattern.compile("(\\d{1,9})(ms|s)");

	private static final Duration MIN_WAIT = Duration.ofMillis(1);

	/**
	 * The maximum wait, because longer waits would occupy threads and connections for too
	 * long.
	 */
	private static final Duration MAX_WAIT = Duration.ofSeconds(30);

	public Waiting {
		// Compared as durations, because toMillis() fails for very long durations.
		Checks.UNPLACED.require(max.compareTo(MIN_WAIT) >= 0 && max.compareTo(MAX_WAIT) <= 0, ".wait", max,
				"the maximum wait must be between 1 ms and 30 s", "Set a duration such as 2s.");
		Checks.UNPLACED.require(queue >= 1, ".wait.queue", Integer.toString(queue), "it must be positive",
				"Set the maximum number of requests that wait for one bucket, such as 100.");
	}

	/**
	 * Return a wait with the default queue.
	 * @param max the maximum wait
	 * @return the wait
	 */
	public static Waiting of(Duration max) {
		return new Waiting(max, DEFAULT_QUEUE, Optional.empty());
	}

	/**
	 * Read a wait with the default queue.
	 * @param text the maximum wait, such as {@code 2s}, {@code 500ms}, or {@code PT2S}
	 * @return the wait
	 * @throws IllegalArgumentException if the text is not a duration
	 */
	static Waiting parse(String text) {
		Matcher simple = SIMPLE.matcher(text);
		try {
			long factor = (simple.matches() && simple.group(2).equals("s")) ? 1000 : 1;
			return of((simple.matches()) ? Duration.ofMillis(Long.parseLong(simple.group(1)) * factor)
					: Duration.parse(text));
		}
		catch (DateTimeParseException ex) {
			throw new IllegalArgumentException("'" + text + "' is not a duration; use one such as 2s or 500ms", ex);
		}
	}

	/**
	 * Return the parts, as in JSON.
	 * @return values by name
	 */
	Map<String, Object> description() {
		Map<String, Object> description = new LinkedHashMap<>();
		description.put("max", this.max.toString());
		description.put("queue", this.queue);
		this.fairBy.ifPresent((key) -> description.put("fairBy", key.toString()));
		return description;
	}

	@Override
	public String toString() {
		return this.max.toMillis() + "ms, queue " + this.queue
				+ this.fairBy.map((key) -> ", fair by " + key).orElse("");
	}

}
