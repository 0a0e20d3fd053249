package dev.ratelimit.test.redis;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Import;

/**
 * Connects the application under test to the shared server. An
 * {@code ApplicationContextRunner} takes {@link Config} instead. Add {@link RedisTest} to
 * empty the server before each test.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Import(WithRedis.Config.class)
public @interface WithRedis {

	/**
	 * The connection to the shared server.
	 */
	@TestConfiguration(proxyBeanMethods = false)
	@Import(RedisConnectionSelector.class)
	class Config {

	}

}
