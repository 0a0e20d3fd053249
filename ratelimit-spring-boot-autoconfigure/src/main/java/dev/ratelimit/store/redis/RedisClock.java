package dev.ratelimit.store.redis;

/**
 * Internal: the clock that buckets in Redis use.
 */
public enum RedisClock {

	/** The server's: one clock for all instances. */
	SERVER("clock-redis"),

	/**
	 * Each instance's own, for servers that reject {@code TIME} in scripts. Limits are as
	 * exact as the clocks agree, and what a stalled server runs late is charged.
	 */
	CLIENT("clock-caller");

	private final String resource;

	RedisClock(String resource) {
		this.resource = resource;
	}

	/**
	 * The time that a call is given, if it is given one.
	 * @param server what is known of the server's clock
	 * @return milliseconds
	 */
	long nowMillis(ServerClock server) {
		return (this == SERVER) ? server.nowMillis() : server.systemMillis();
	}

	/**
	 * The time of a moment by the clock that buckets are counted by.
	 * @param server what is known of the server's clock
	 * @param momentNanos the moment
	 * @return milliseconds, not after the moment
	 */
	long earliestMillisAt(ServerClock server, long momentNanos) {
		return (this == SERVER) ? server.earliestMillisAt(momentNanos) : server.systemMillisAt(momentNanos);
	}

	String text() {
		return LuaFragment.resource(this.resource);
	}

}
