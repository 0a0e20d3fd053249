package dev.ratelimit.live.redis;

/**
 * A text with a time before it, as it is kept in a field of a hash.
 *
 * @param atMillis the time, in milliseconds since the epoch
 * @param text what follows the time
 */
record Stamped(long atMillis, String text) {

	static Stamped of(String value) {
		int end = value.indexOf(' ');
		if (end < 0) {
			throw new IllegalArgumentException("an entry has no time");
		}
		return new Stamped(Long.parseLong(value, 0, end, 10), value.substring(end + 1));
	}

}
