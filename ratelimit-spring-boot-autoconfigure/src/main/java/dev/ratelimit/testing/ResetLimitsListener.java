package dev.ratelimit.testing;

import dev.ratelimit.base.Resettable;

import org.springframework.context.ApplicationContext;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.TestExecutionListener;

/**
 * Fills all buckets, forgets all bans, and resets the clock before each test of a class
 * that uses the limiter: tests share contexts, but must not share limits.
 */
final class ResetLimitsListener implements TestExecutionListener {

	@Override
	public void beforeTestMethod(TestContext test) {
		if (TestContextAnnotationUtils.hasAnnotation(test.getTestClass(), AutoConfigureRateLimit.class)) {
			ApplicationContext context = test.getApplicationContext();
			context.getBeanProvider(ManualClock.class).forEach(ManualClock::reset);
			context.getBeanProvider(Resettable.class).forEach(Resettable::reset);
		}
	}

}
