package dev.ratelimit.test;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Makes Awaitility look at once and every ten milliseconds, instead of every tenth of a
 * second: most of what tests wait for is there within some milliseconds. JUnit finds this
 * in {@code META-INF/services}.
 */
public final class ShortPolls implements BeforeAllCallback {

	@Override
	public void beforeAll(ExtensionContext context) {
		Awaitility.setDefaultPollDelay(Duration.ZERO);
		Awaitility.setDefaultPollInterval(Duration.ofMillis(10));
	}

}
