package dev.ratelimit.base;

import dev.ratelimit.rule.InvalidRuleException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;

/**
 * Describes an invalid rule or property, and the fix. It takes precedence over the
 * analyzers of Spring Boot for the exceptions of binding that wrap the cause.
 */
@Order(0)
final class InvalidRuleFailureAnalyzer extends AbstractFailureAnalyzer<InvalidRuleException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidRuleException cause) {
		String value = (cause.value().isEmpty()) ? "" : "%n    Value: %s".formatted(cause.value());
		String description = "Invalid rate limit configuration:%n%n    Property: %s%s%n    Reason: %s"
			.formatted(cause.location(), value, cause.reason());
		return new FailureAnalysis(description, cause.action(), cause);
	}

}
