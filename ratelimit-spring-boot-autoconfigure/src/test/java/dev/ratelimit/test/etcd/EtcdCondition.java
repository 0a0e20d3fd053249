package dev.ratelimit.test.etcd;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Implements {@link EtcdTest}.
 */
final class EtcdCondition implements ExecutionCondition {

	@Override
	public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
		return InstalledEtcd.ofEnvironment()
			.map((installed) -> ConditionEvaluationResult.enabled(installed.toString()))
			.orElseGet(() -> ConditionEvaluationResult.disabled("etcd is not on the path"));
	}

}
