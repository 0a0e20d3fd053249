package dev.ratelimit.rule;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * Internal: a limit as written, before defaults. Immutable.
 *
 * @param limit the text form, such as {@code 100/min}
 * @param burst the burst, if written
 * @param algorithm the algorithm's id, if written
 * @param options the options that only some algorithms support
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
	 * A limit written as text, such as {@code 100/min}, {@code 20/min burst 30},
	 * {@code 1000/day Europe/Paris}, or {@code 20 concurrent}.
	 * @param text the text
	 * @return the definition, with the properties that the text stands for
	 */
	public static LimitDefinition of(String text) {
		return LimitText.split(text);
	}

	/**
	 * Return this limit, combined with the properties that are configured in addition to
	 * its text.
	 * @param location the location of the text, for messages
	 * @param besideBurst the additional burst
	 * @param besideAlgorithm the additional algorithm
	 * @param besideOptions the additional options
	 * @return the combined definition; a limit with a time zone follows the calendar
	 * @throws InvalidRuleException if the text has a different value
	 */
	public LimitDefinition with(String location, OptionalLong besideBurst, Optional<String> besideAlgorithm,
			LimitOptions besideOptions) {
		requireSame(location, "burst", boxed(this.burst), boxed(besideBurst));
		requireSame(location, "algorithm", this.algorithm, besideAlgorithm);
		requireSame(location, "zone", this.options.zone(), besideOptions.zone());
		LimitOptions all = this.options.over(besideOptions);
		return new LimitDefinition(this.limit, (this.burst.isPresent()) ? this.burst : besideBurst,
				this.algorithm.or(() -> besideAlgorithm).or(all::calendar), all);
	}

	private static Optional<Long> boxed(OptionalLong number) {
		return number.stream().boxed().findFirst();
	}

	private void requireSame(String location, String property, Optional<?> own, Optional<?> beside) {
		if (own.isPresent() && beside.isPresent() && !own.equals(beside)) {
			throw new InvalidRuleException(location + "." + property, beside.get().toString(),
					"the text of the limit already sets '" + property + "' to '" + own.get() + "'",
					"Keep one of them.");
		}
	}

}
