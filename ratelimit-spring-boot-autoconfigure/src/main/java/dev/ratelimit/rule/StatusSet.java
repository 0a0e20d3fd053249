package dev.ratelimit.rule;

import java.util.BitSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Internal: HTTP statuses, written as {@code 401} or {@code 5xx}. Immutable.
 */
public final class StatusSet {

	private static final Pattern STATUS = Pattern.compile("([1-5])([0-9]{2}|xx)");

	private final List<String> texts;

	private final BitSet statuses = new BitSet(600);

	private StatusSet(List<String> texts) {
		this.texts = List.copyOf(texts);
		texts.forEach(this::add);
	}

	/**
	 * The set of some statuses.
	 * @param texts such as {@code 401} and {@code 5xx}, at least one
	 * @return the set
	 * @throws IllegalArgumentException if a text is not a status
	 */
	public static StatusSet of(List<String> texts) {
		if (texts.isEmpty()) {
			throw new IllegalArgumentException("it contains no status");
		}
		return new StatusSet(texts);
	}

	boolean contains(int status) {
		return this.statuses.get(status);
	}

	private void add(String text) {
		Matcher status = STATUS.matcher(text);
		if (!status.matches()) {
			throw new IllegalArgumentException("'" + text + "' is not a status; use 401 or 5xx");
		}
		int hundreds = 100 * Integer.parseInt(status.group(1));
		if (status.group(2).equals("xx")) {
			this.statuses.set(hundreds, hundreds + 100);
		}
		else {
			this.statuses.set(hundreds + Integer.parseInt(status.group(2)));
		}
	}

	@Override
	public boolean equals(Object other) {
		return other instanceof StatusSet that && this.statuses.equals(that.statuses);
	}

	@Override
	public int hashCode() {
		return this.statuses.hashCode();
	}

	@Override
	public String toString() {
		return this.texts.toString();
	}

}
