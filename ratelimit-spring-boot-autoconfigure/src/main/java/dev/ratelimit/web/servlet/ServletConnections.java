package dev.ratelimit.web.servlet;

import dev.ratelimit.gate.ConnectionSlot;
import jakarta.servlet.ServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * Internal: passes the slots of servlet requests to connections.
 */
public final class ServletConnections {

	private ServletConnections() {
	}

	/**
	 * The slots of a request that is about to be upgraded.
	 * @param request the request
	 * @param nowNanos the time
	 * @return the slots; null if no rule limits its connection
	 */
	public static @Nullable ConnectionSlot connect(ServletRequest request, long nowNanos) {
		ServletProgress progress = ServletProgress.find(request);
		return (progress != null) ? ConnectionSlot.of(progress.current(), nowNanos, progress::connect) : null;
	}

}
