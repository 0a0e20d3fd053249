package dev.ratelimit.rule;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.ratelimit.Criticality.Level;

/**
 * Internal: slots of a limit of concurrent requests that only requests of a level and of
 * the levels above it can take. Immutable.
 *
 * @param shares the share of each level that has one
 */
public record Reserve(Map<Level, ReservedShare> shares) {

	/** All slots are available to all levels. */
	public static final Reserve NONE = new Reserve(Map.of());

	public Reserve {
		Map<Level, ReservedShare> ordered = new EnumMap<>(Level.class);
		ordered.putAll(shares);
		shares = Collections.unmodifiableMap(ordered);
	}

	/**
	 * Read a reserve.
	 * @param written percentages such as {@code 20%} or numbers of slots, by level
	 * @return the reserve
	 * @throws IllegalArgumentException if a level does not exist or is the lowest one, or
	 * if a share is neither a percentage nor a number
	 */
	public static Reserve parse(Map<String, String> written) {
		Map<Level, ReservedShare> shares = new EnumMap<>(Level.class);
		written.forEach((name, share) -> shares.put(level(name), ReservedShare.parse(share)));
		return new Reserve(shares);
	}

	private static Level level(String name) {
		for (Level level : Level.values()) {
			if (level != Level.LOW && level.name().equalsIgnoreCase(name)) {
				return level;
			}
		}
		throw new IllegalArgumentException((name.equalsIgnoreCase(Level.LOW.name()))
				? "no level is below 'low', so there is nothing to reserve slots from"
				: "there is no level '" + name + "'; the levels are critical, high, and normal");
	}

	/**
	 * Whether no slots are reserved.
	 * @return whether all levels have the same capacity
	 */
	public boolean isNone() {
		return this.shares.isEmpty();
	}

	/**
	 * The slots of a limit that a level can take: all but those that are reserved for the
	 * levels above it.
	 * @param level the level
	 * @param limit the number of slots
	 * @return the capacity of the level
	 */
	public long capacity(Level level, long limit) {
		long capacity = limit;
		for (Map.Entry<Level, ReservedShare> share : this.shares.entrySet()) {
			if (share.getKey().compareTo(level) < 0) {
				capacity -= share.getValue().of(limit);
			}
		}
		return capacity;
	}

	/**
	 * The text form, such as {@code critical: 20%, high: 100}.
	 * @return the shares by level
	 */
	@Override
	public String toString() {
		return this.shares.entrySet()
			.stream()
			.map((share) -> share.getKey().name().toLowerCase(Locale.ROOT) + ": " + share.getValue())
			.collect(Collectors.joining(", "));
	}

	/**
	 * A part of the slots of a limit. Immutable.
	 *
	 * @param amount a percentage from 1 to 99, or a number of slots, at least 1
	 * @param percent whether it is a percentage
	 */
	private record ReservedShare(long amount, boolean percent) {

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

		// Rounded up, so that at least one slot is reserved.
		long of(long limit) {
			return (this.percent) ? (limit * this.amount + ALL - 1) / ALL : this.amount;
		}

		@Override
		public String toString() {
			return this.amount + ((this.percent) ? "%" : "");
		}

	}

}
