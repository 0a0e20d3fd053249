package dev.ratelimit.test.redis;

import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Implements {@link RedisClusterTest}.
 */
final class RedisClusterExtension implements BeforeEachCallback, ParameterResolver {

	@Override
	public void beforeEach(ExtensionContext context) {
		TestCluster.shared().flush();
	}

	@Override
	public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
		return parameter.getParameter().getType() == TestCluster.class;
	}

	@Override
	public TestCluster resolveParameter(ParameterContext parameter, ExtensionContext context) {
		return TestCluster.shared();
	}

}
