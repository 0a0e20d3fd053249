package dev.ratelimit.rule;

import java.util.regex.Pattern;

/**
 * Internal: a part of the slots of a limit. Immutable.
 *
 * @param amount a percentage from 1 to 99, or a number of slots, at least 1
 * @param percent whether it is a percentage
 */
public record ReservedShare(long amount, boolean percent) {

	private static final Pattern FORM = Pattern.compile("\\d{1,13}%?");

	private static final int ALL = 100;

	public ReservedShare {
		if (amount < 1 || (percent && amount >= ALL)) {
			throw new IllegalArgumentException(
					(percent) ? "a percentage must be between 1% and 99%" : "a number of slots must be at least 1");
		}
	}

	static ReservedShare parse(String text) {
		if (!FORM.matcher(text).matches()) {
			throw new IllegalArgumentException(
					"'" + text + "' is neither a percentage such as 20% nor a number of slots such as 100");
		}
		boolean percent = text.endsWith("%");
		return new ReservedShare(Long.parseLong((percent) ? text.substring(0, text.length() - 1) : text), percent);
	}

	// At least one slot, however few there are.
	long of(long limit) {
		return (this.percent) ? (limit * this.amount + ALL - 1) / ALL : this.amount;
	}

	@Override
	public String toString() {
		return this.amount + ((this.percent) ? "%" : "");
	}

}
