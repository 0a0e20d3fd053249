package dev.ratelimit.test;

import java.time.Duration;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Reports the steps of JUnit tests to the {@link HangDetector}. JUnit finds this class in
 * {@code META-INF/services}.
 */
public final class HangExtension implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback {

	@Override
	public void beforeAll(ExtensionContext context) {
		begin("The start of ", context);
	}

	@Override
	public void beforeEach(ExtensionContext context) {
		begin("", context);
	}

	@Override
	public void afterEach(ExtensionContext context) {
		begin("What follows ", context);
	}

	@Override
	public void afterAll(ExtensionContext context) {
		begin("The end of ", context);
	}

	private static void begin(String prefix, ExtensionContext context) {
		Duration bound = (context.getTags().contains("long")) ? HangDetector.LONG_STEP : HangDetector.STEP;
		String method = context.getTestMethod()
			.map((found) -> "." + found.getName() + " " + context.getDisplayName())
			.orElse("");
		HangDetector.begin(prefix + context.getRequiredTestClass().getName() + method, bound);
	}

}
