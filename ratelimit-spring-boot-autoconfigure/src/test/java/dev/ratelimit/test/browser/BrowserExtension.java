package dev.ratelimit.test.browser;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Implements {@link BrowserTest} with one browser for all tests, which closes after the
 * last test.
 */
final class BrowserExtension implements ExecutionCondition, ParameterResolver {

	private static final Namespace NAMESPACE = Namespace.create(BrowserExtension.class);

	@Override
	public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
		return InstalledBrowser.ofEnvironment()
			.map((installed) -> ConditionEvaluationResult.enabled(installed.toString()))
			.orElseGet(() -> ConditionEvaluationResult.disabled("chromium and chromedriver are not on the path"));
	}

	@Override
	public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
		return parameter.getParameter().getType() == TestBrowser.class;
	}

	@Override
	public TestBrowser resolveParameter(ParameterContext parameter, ExtensionContext context) {
		return context.getRoot()
			.getStore(NAMESPACE)
			.computeIfAbsent(TestBrowser.class,
					(type) -> TestBrowser.start(InstalledBrowser.ofEnvironment().orElseThrow()), TestBrowser.class);
	}

}
