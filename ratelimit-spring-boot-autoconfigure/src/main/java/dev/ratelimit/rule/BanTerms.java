package dev.ratelimit.rule;

import java.time.Duration;
import java.util.Optional;

import dev.ratelimit.BanKind;

/**
 * Internal: the conditions under which a rule bans or marks a subject, and the duration.
 * Immutable.
 *
 * @param after the number of strikes that cause a ban
 * @param within the time in which they must occur
 * @param onRejected whether a rejection by the rule is a strike
 * @param statuses the response statuses that are strikes
 * @param duration the duration of the first ban
 * @param growth the factor by which each further ban is longer
 * @param max the maximum duration of a ban
 * @param forget the time after the end of a ban during which it makes the next ban longer
 * @param as whether the subject is banned or marked
 */
public record BanTerms(int after, Duration within, boolean onRejected, Optional<StatusSet> statuses, Duration duration,
		double growth, Duration max, Duration forget, BanKind as) {

	private static final int MAX_STRIKES = 10_000;

	private static final int MAX_GROWTH = 100;

	private static final Duration MAX_DURATION = Duration.ofDays(366);

	void check() {
		require(this.after >= 1 && this.after <= MAX_STRIKES, "after", this.after, "it must be between 1 and 10,000",
				"Set the number of strikes, such as 10.");
		require(isUpToLongest(this.within), "within", this.within, "it must be between 1 s and 366 days",
				"Set the time in which the strikes must occur, such as 10m.");
		require(isUpToLongest(this.duration), "for", this.duration, "it must be between 1 s and 366 days",
				"Set how long a ban lasts, such as 15m.");
		require(this.growth >= 1 && this.growth <= MAX_GROWTH, "growth", this.growth, "it must be between 1 and 100",
				"Set the factor by which each further ban is longer, such as 2.");
		require(isUpToLongest(this.max) && this.max.compareTo(this.duration) >= 0, "max", this.max,
				"it must be between 'for' and 366 days", "Set the longest ban, such as 24h.");
		require(!this.forget.isNegative() && this.forget.compareTo(MAX_DURATION) <= 0, "forget", this.forget,
				"it must be between 0 and 366 days", "Set how long bans are remembered, such as 24h.");
		require(this.onRejected || this.statuses.isPresent(), "strikes", "[]", "nothing would be a strike",
				"Set 'rejected', statuses such as 401, or both.");
		require(this.as != BanKind.PAUSE, "as", EnumNames.of(this.as), "a rule bans or marks", "Use 'ban' or 'mark'.");
	}

	private static boolean isUpToLongest(Duration duration) {
		return duration.compareTo(Duration.ofSeconds(1)) >= 0 && duration.compareTo(MAX_DURATION) <= 0;
	}

	private static void require(boolean condition, String property, Object value, String reason, String action) {
		Checks.UNPLACED.require(condition, ".ban." + property, value.toString(), reason, action);
	}

	/**
	 * Whether a response is a strike.
	 * @param status its status
	 * @return whether it is a strike
	 */
	public boolean countsStatus(int status) {
		return this.statuses.isPresent() && this.statuses.get().contains(status);
	}

	/**
	 * The terms as one readable text.
	 * @return the text
	 */
	public String text() {
		StringBuilder text = new StringBuilder(EnumNames.of(this.as)).append(" after ").append(this.after);
		text.append(" within ").append(this.within).append(" on ").append(strikes());
		text.append(" for ").append(this.duration).append(" growth ").append(this.growth);
		return text.append(" max ").append(this.max).append(" forget ").append(this.forget).toString();
	}

	private String strikes() {
		String statuses = this.statuses.map(StatusSet::toString).orElse("");
		return (this.onRejected) ? "rejected" + statuses : statuses;
	}

}
