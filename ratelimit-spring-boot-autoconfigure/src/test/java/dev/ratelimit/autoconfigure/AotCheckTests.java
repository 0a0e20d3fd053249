package dev.ratelimit.autoconfigure;

import java.util.Map;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.core.SpringProperties;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * What holds where an application was processed ahead of time. Each of the three is
 * called where conditions would otherwise have seen to it.
 */
class AotCheckTests {

	private static final String PROCESSED = "spring.aot.enabled";

	private final MockEnvironment redis = new MockEnvironment().withProperty("spring.data.redis.host", "somewhere");

	@BeforeEach
	void processed() {
		SpringProperties.setProperty(PROCESSED, "true");
	}

	@AfterEach
	void notProcessed() {
		SpringProperties.setProperty(PROCESSED, null);
	}

	private static RateLimitProperties properties(String name, String value) {
		return new Binder(new MapConfigurationPropertySource(Map.of("ratelimit." + name, value)))
			.bindOrCreate("ratelimit", RateLimitProperties.class);
	}

	@Test
	void aConnectionToRedisThatComesTooLateIsRefused() {
		assertThatExceptionOfType(StoreConfigurationException.class)
			.isThrownBy(() -> AotCheck.requireMemory(properties("store", "auto"), this.redis))
			.withMessageContaining("connection to Redis")
			.withMessageContaining("during AOT processing");
	}

	@Test
	void memoryThatIsAskedForIsNot() {
		assertThatNoException().isThrownBy(() -> {
			AotCheck.requireMemory(properties("store", "memory"), this.redis);
			AotCheck.requireMemory(properties("store", "auto"), new MockEnvironment());
		});
	}

	@Test
	void otherwiseConditionsSeeToIt() {
		SpringProperties.setProperty(PROCESSED, null);
		assertThatNoException().isThrownBy(() -> AotCheck.requireMemory(properties("store", "auto"), this.redis));
	}

	@Test
	void memoryThatIsAskedForTooLateIsRefused() {
		assertThatExceptionOfType(StoreConfigurationException.class)
			.isThrownBy(() -> AotCheck.requireRedis(properties("store", "memory")))
			.withMessageContaining("'ratelimit.store' is 'memory'");
		assertThatNoException().isThrownBy(() -> AotCheck.requireRedis(properties("store", "redis")));
	}

	@Test
	void switchingOffTooLateIsRefused() {
		assertThatExceptionOfType(StoreConfigurationException.class)
			.isThrownBy(() -> AotCheck.requireEnabled(properties("enabled", "false")))
			.withMessageContaining("'ratelimit.enabled' is 'false'");
		assertThatNoException().isThrownBy(() -> AotCheck.requireEnabled(properties("enabled", "true")));
	}

}
