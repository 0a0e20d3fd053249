package dev.ratelimit.autoconfigure;

import java.util.Optional;

import dev.ratelimit.store.guard.GuardSettings;

import org.springframework.boot.thread.Threading;
import org.springframework.context.ApplicationContext;
import org.springframework.web.context.WebApplicationContext;

/**
 * Defaults of the guards of stores.
 */
final class GuardDefaults {

	/**
	 * The maximum on servlet stacks without virtual threads, where each decision that
	 * waits blocks a platform thread.
	 */
	private static final int MAX_IN_FLIGHT_SERVLET = 128;

	private static final int MAX_IN_FLIGHT = 1024;

	private GuardDefaults() {
	}

	static GuardSettings settings(RateLimitProperties properties, ApplicationContext context) {
		boolean holdsThreads = context instanceof WebApplicationContext
				&& !Threading.VIRTUAL.isActive(context.getEnvironment());
		int maxInFlight = Optional.ofNullable(properties.maxInFlight())
			.orElse((holdsThreads) ? MAX_IN_FLIGHT_SERVLET : MAX_IN_FLIGHT);
		return new GuardSettings(properties.circuit().probeInterval(), properties.deadline(), maxInFlight);
	}

}
