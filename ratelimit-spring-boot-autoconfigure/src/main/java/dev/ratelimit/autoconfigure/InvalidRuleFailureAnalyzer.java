package dev.ratelimit.autoconfigure;

import dev.ratelimit.rule.InvalidRuleException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Says in words which rule is wrong, and how to mend it.
 */
final class InvalidRuleFailureAnalyzer extends AbstractFailureAnalyzer<InvalidRuleException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidRuleException cause) {
		String value = (cause.value().isEmpty()) ? "" : "%n    Value: %s".formatted(cause.value());
		String description = "A rate limit rule can never work:%n%n    Property: %s%s%n    Reason: %s"
			.formatted(cause.culprit(), value, cause.reason());
		return new FailureAnalysis(description, cause.action(), cause);
	}

}
