package dev.ratelimit.live.redis;

/**
 * A text with a time as its prefix, in the form of a field of a hash.
 *
 * @param atMillis the time, in milliseconds since the epoch
 * @param text the text after the time
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
