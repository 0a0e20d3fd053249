package dev.ratelimit.base;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Describes the reason for which the store cannot be used, and the fix.
 */
final class StoreConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<StoreConfigurationException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, StoreConfigurationException cause) {
		return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
	}

}
