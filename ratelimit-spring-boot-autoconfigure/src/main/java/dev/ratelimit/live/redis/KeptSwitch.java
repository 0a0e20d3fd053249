package dev.ratelimit.live.redis;

/**
 * A switch as it is kept in a field. Immutable.
 *
 * @param untilMillis when it ends, or would have ended, in milliseconds since the epoch
 * @param number of two changes of a switch, the one with the higher number prevails
 * @param text what it says
 */
record KeptSwitch(long untilMillis, long number, String text) {

	/** Of a switch that was never set. */
	static final KeptSwitch NONE = new KeptSwitch(0, 0, "");

	// What cannot be read is an IllegalArgumentException.
	static KeptSwitch of(String field) {
		Stamped ends = Stamped.of(field);
		Stamped numbered = Stamped.of(ends.text());
		return new KeptSwitch(ends.atMillis(), numbered.atMillis(), numbered.text());
	}

	String field() {
		return this.untilMillis + " " + this.number + " " + this.text;
	}

}
