package dev.ratelimit.web.servlet;

import dev.ratelimit.gate.ConnectionSlot;
import dev.ratelimit.gate.RequestProgress;
import jakarta.servlet.ServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * Internal: hands the slots of servlet requests to connections.
 */
public final class ServletConnections {

	private ServletConnections() {
	}

	/**
	 * The slots of a request that is about to be upgraded. They stay occupied if it is.
	 * @param request the request
	 * @param nowNanos the time
	 * @return the slots; null if no rule limits its connection
	 */
	public static @Nullable ConnectionSlot connect(ServletRequest request, long nowNanos) {
		ServletProgress known = ServletProgress.find(request);
		RequestProgress reached = (known != null) ? known.reached() : RequestProgress.START;
		if (known == null || !reached.endings().holdsConnections()) {
			return null;
		}
		ConnectionSlot slot = new ConnectionSlot(reached, nowNanos);
		known.connect(slot);
		return slot;
	}

}
