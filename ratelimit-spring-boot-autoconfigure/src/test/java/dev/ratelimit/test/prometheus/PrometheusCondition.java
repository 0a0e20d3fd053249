package dev.ratelimit.test.prometheus;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Implements {@link PrometheusTest}.
 */
final class PrometheusCondition implements ExecutionCondition {

	@Override
	public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
		return InstalledPrometheus.ofEnvironment()
			.map((installed) -> ConditionEvaluationResult.enabled(installed.toString()))
			.orElseGet(() -> ConditionEvaluationResult.disabled("prometheus and promtool are not on the path"));
	}

}
