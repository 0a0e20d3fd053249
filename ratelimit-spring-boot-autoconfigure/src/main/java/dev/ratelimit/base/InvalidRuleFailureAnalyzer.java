package dev.ratelimit.base;

import dev.ratelimit.rule.InvalidRuleException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;

/**
 * Describes which rule or property is invalid, and how to fix it. It takes precedence
 * over the analyzers of Spring Boot for the binding around it.
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
