package dev.ratelimit.rule;

import java.time.Duration;

/**
 * Internal: how long a slot of a rule that limits concurrent requests is held.
 *
 * @param by what holds it
 * @param longest after which time it is freed at the latest
 */
public record Holding(Holder by, Duration longest) {

	private static final Duration SHORTEST = Duration.ofSeconds(1);

	private static final Duration LONGEST = Duration.ofDays(366);

	public Holding {
		Checks.UNPLACED.require(longest.compareTo(SHORTEST) >= 0 && longest.compareTo(LONGEST) <= 0, ".max-hold",
				longest, "it must be between 1 s and 366 days", "Set a time such as '1h'.");
	}

	static Holding of(RuleOptions written) {
		Holder by = written.find(RuleOptions.HOLD).orElse(Holder.REQUEST);
		return new Holding(by, written.find(RuleOptions.MAX_HOLD).orElse(by.longest()));
	}

	/**
	 * Whether the time is that of rules that set none.
	 * @return whether nothing has to be said of it
	 */
	public boolean isDefault() {
		return this.longest.equals(this.by.longest());
	}

}
