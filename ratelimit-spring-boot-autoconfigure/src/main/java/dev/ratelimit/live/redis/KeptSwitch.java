package dev.ratelimit.live.redis;

/**
 * A switch in the form of its field. Immutable.
 *
 * @param untilMillis the end, or the original end of a switch that was ended early, in
 * milliseconds since the epoch
 * @param number the number of the change; of two changes of a switch, the one with the
 * higher number prevails
 * @param text the mode, user, and note
 */
record KeptSwitch(long untilMillis, long number, String text) {

	/** A switch that was never set. */
	static final KeptSwitch NONE = new KeptSwitch(0, 0, "");

	// Unreadable text causes an IllegalArgumentException.
	static KeptSwitch of(String field) {
		Stamped ends = Stamped.of(field);
		Stamped numbered = Stamped.of(ends.text());
		return new KeptSwitch(ends.atMillis(), numbered.atMillis(), numbered.text());
	}

	String field() {
		return this.untilMillis + " " + this.number + " " + this.text;
	}

}
