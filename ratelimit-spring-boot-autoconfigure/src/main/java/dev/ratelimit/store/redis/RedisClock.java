package dev.ratelimit.store.redis;

/**
 * Internal: the clock that buckets in Redis use.
 */
public enum RedisClock {

	/** The clock of the server, which is the same for all instances. */
	SERVER("clock-redis"),

	/**
	 * The clock of each instance, for servers that reject {@code TIME} in scripts. Limits
	 * are inexact if the clocks differ, and a script that a stalled server runs late
	 * still charges.
	 */
	CLIENT("clock-caller");

	private final String resource;

	RedisClock(String resource) {
		this.resource = resource;
	}

	/**
	 * Return the time to send with a call, if the call needs a time.
	 * @param server the estimate of the server's clock
	 * @return milliseconds
	 */
	long nowMillis(ServerClock server) {
		return (this == SERVER) ? server.nowMillis() : server.systemMillis();
	}

	/**
	 * Return the time of a moment by the clock that buckets use.
	 * @param server the estimate of the server's clock
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
