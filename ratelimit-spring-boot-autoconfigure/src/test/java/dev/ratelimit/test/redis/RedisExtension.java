package dev.ratelimit.test.redis;

import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Implements {@link RedisTest}.
 */
final class RedisExtension implements BeforeEachCallback, ParameterResolver {

	@Override
	public void beforeEach(ExtensionContext context) {
		TestRedis.shared().command("FLUSHALL");
	}

	@Override
	public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
		return parameter.getParameter().getType() == TestRedis.class;
	}

	@Override
	public TestRedis resolveParameter(ParameterContext parameter, ExtensionContext context) {
		return TestRedis.shared();
	}

}
