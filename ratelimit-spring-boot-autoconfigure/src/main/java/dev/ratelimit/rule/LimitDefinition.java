package dev.ratelimit.rule;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * Internal: a limit as written, before defaults. Immutable.
 *
 * @param limit the text form, such as {@code 100/min}
 * @param burst the burst, if written
 * @param algorithm the algorithm's id, if written
 * @param options what only some algorithms know
 */
public record LimitDefinition(String limit, OptionalLong burst, Optional<String> algorithm, LimitOptions options) {

	/**
	 * A limit without options.
	 * @param limit the text form, such as {@code 100/min}
	 * @param burst the burst, if written
	 * @param algorithm the algorithm's id, if written
	 */
	public LimitDefinition(String limit, OptionalLong burst, Optional<String> algorithm) {
		this(limit, burst, algorithm, LimitOptions.NONE);
	}

	/**
	 * A limit written as text alone.
	 * @param text the text form
	 * @return the definition
	 */
	public static LimitDefinition of(String text) {
		return new LimitDefinition(text, OptionalLong.empty(), Optional.empty());
	}

}
