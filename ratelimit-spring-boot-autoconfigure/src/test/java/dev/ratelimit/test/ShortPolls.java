package dev.ratelimit.test;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Makes Awaitility poll immediately and then every ten milliseconds, instead of every 100
 * milliseconds. Most conditions are met within a few milliseconds. JUnit finds this class
 * in {@code META-INF/services}.
 */
public final class ShortPolls implements BeforeAllCallback {

	@Override
	public void beforeAll(ExtensionContext context) {
		Awaitility.setDefaultPollDelay(Duration.ZERO);
		Awaitility.setDefaultPollInterval(Duration.ofMillis(10));
	}

}
