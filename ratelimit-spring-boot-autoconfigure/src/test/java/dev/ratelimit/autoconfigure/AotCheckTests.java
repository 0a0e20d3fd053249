package dev.ratelimit.autoconfigure;

import java.util.Map;

import dev.ratelimit.base.StoreConfigurationException;
import dev.ratelimit.live.MemoryRuleSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.core.SpringProperties;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests the checks of an application after AOT processing. Each check is called in a
 * situation that conditions would otherwise handle.
 */
class AotCheckTests {

	private static final String PROCESSED = "spring.aot.enabled";

	private final MockEnvironment redis = new MockEnvironment().withProperty("spring.data.redis.host", "somewhere");

	private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

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

	private static MockEnvironment environment(String name, String value) {
		return new MockEnvironment().withProperty("ratelimit." + name, value);
	}

	@Test
	void aConnectionToRedisThatComesTooLateIsRejected() {
		assertThatExceptionOfType(StoreConfigurationException.class)
			.isThrownBy(() -> AotCheck.requireMemory(properties("store", "auto"), this.redis))
			.withMessageContaining("connection to Redis")
			.withMessageContaining("during AOT processing");
	}

	@Test
	void configuredMemoryStoreIsAccepted() {
		assertThatNoException().isThrownBy(() -> {
			AotCheck.requireMemory(properties("store", "memory"), this.redis);
			AotCheck.requireMemory(properties("store", "auto"), new MockEnvironment());
		});
	}

	@Test
	void withoutAotProcessingNothingIsChecked() {
		SpringProperties.setProperty(PROCESSED, null);
		assertThatNoException().isThrownBy(() -> AotCheck.requireMemory(properties("store", "auto"), this.redis));
	}

	@Test
	void memoryThatIsAskedForTooLateIsRejected() {
		assertThatExceptionOfType(StoreConfigurationException.class)
			.isThrownBy(() -> AotCheck.requireRedis(properties("store", "memory")))
			.withMessageContaining("'ratelimit.store' is 'memory'");
		assertThatNoException().isThrownBy(() -> AotCheck.requireRedis(properties("store", "redis")));
	}

	@Test
	void switchingOffTooLateIsRejected() {
		assertThatExceptionOfType(StoreConfigurationException.class)
			.isThrownBy(() -> AotCheck.requireEnabled(properties("enabled", "false")))
			.withMessageContaining("'ratelimit.enabled' is 'false'");
		assertThatNoException().isThrownBy(() -> AotCheck.requireEnabled(properties("enabled", "true")));
	}

	@Test
	void anApiThatComesTooLateIsRejected() {
		this.beans.registerSingleton("requestGate", "a gate");
		assertThatExceptionOfType(StoreConfigurationException.class)
			.isThrownBy(() -> AotCheck.requireParts(environment("api.enabled", "true"), this.beans))
			.withMessage("'ratelimit.api.enabled' is 'true' but was not during AOT processing, where it must be set.")
			.satisfies((failure) -> assertThat(failure.action())
				.isEqualTo("Set 'ratelimit.api.enabled: true' for 'process-aot' too."));
		assertThatNoException()
			.isThrownBy(() -> AotCheck.requireParts(environment("api.enabled", "false"), this.beans));
	}

	@Test
	void anApiThatGoesTooLateIsRejected() {
		this.beans.registerSingleton("requestGate", "a gate");
		this.beans.registerBeanDefinition("rateLimitController", new RootBeanDefinition(Object.class));
		assertThatExceptionOfType(StoreConfigurationException.class)
			.isThrownBy(() -> AotCheck.requireParts(environment("api.enabled", "false"), this.beans))
			.withMessageContaining("'ratelimit.api.enabled' is 'false'");
		assertThatNoException().isThrownBy(() -> AotCheck.requireParts(environment("api.enabled", "true"), this.beans));
	}

	@Test
	void rejectedSubjectsThatComeOrGoTooLateAreRejected() {
		MockEnvironment top = environment("telemetry.top", "true");
		assertThatExceptionOfType(StoreConfigurationException.class)
			.isThrownBy(() -> AotCheck.requireParts(top, this.beans))
			.withMessageContaining("'ratelimit.telemetry.top' is 'true'")
			.withMessageContaining("during AOT processing");
		this.beans.registerSingleton("rateLimitRejectedSubjects", "rejected subjects");
		assertThatNoException().isThrownBy(() -> AotCheck.requireParts(top, this.beans));
		assertThatExceptionOfType(StoreConfigurationException.class)
			.isThrownBy(() -> AotCheck.requireParts(new MockEnvironment(), this.beans))
			.withMessageContaining("'ratelimit.telemetry.top' is 'false'");
	}

	@ParameterizedTest
	@CsvSource({ "events.stream.enabled, rateLimitEventStream", "observation.enabled, rateLimitObservations",
			"load.enabled, rateLimitLoadThreads" })
	void partsThatComeOrGoTooLateAreRejected(String property, String bean) {
		this.beans.registerSingleton("requestGate", "a gate");
		assertThatExceptionOfType(StoreConfigurationException.class)
			.isThrownBy(() -> AotCheck.requireParts(environment(property, "true"), this.beans))
			.withMessageContaining("'ratelimit." + property + "' is 'true'");
		this.beans.registerSingleton(bean, "a part");
		assertThatNoException().isThrownBy(() -> AotCheck.requireParts(environment(property, "true"), this.beans));
		assertThatExceptionOfType(StoreConfigurationException.class)
			.isThrownBy(() -> AotCheck.requireParts(new MockEnvironment(), this.beans))
			.withMessageContaining("'ratelimit." + property + "' is 'false'");
	}

	@Test
	void quotasThatComeTooLateAreRejected() {
		MockEnvironment quotas = environment("client.quotas.partner.rule", "partner");
		assertThatExceptionOfType(StoreConfigurationException.class)
			.isThrownBy(() -> AotCheck.requireParts(quotas, this.beans))
			.withMessageContaining("'ratelimit.client.quotas' is set but was not during AOT processing");
		this.beans.registerSingleton("rateLimitQuotas", "quotas");
		assertThatNoException().isThrownBy(() -> AotCheck.requireParts(quotas, this.beans));
	}

	@ParameterizedTest
	@CsvSource({ "stores.eu.host, somewhere, ratelimit.stores, rateLimitRedisServers",
			"regions.peers, us, ratelimit.regions.peers, rateLimitRegionBoard" })
	void storesAndRegionsThatComeTooLateAreRejected(String name, String value, String property, String bean) {
		MockEnvironment late = environment(name, value);
		assertThatNoException().isThrownBy(() -> AotCheck.requireParts(late, this.beans));
		this.beans.registerSingleton("rateLimitRedisStore", "the store");
		assertThatExceptionOfType(StoreConfigurationException.class)
			.isThrownBy(() -> AotCheck.requireParts(late, this.beans))
			.withMessageContaining("'" + property + "' is set but was not during AOT processing");
		this.beans.registerSingleton(bean, "a part");
		assertThatNoException().isThrownBy(() -> AotCheck.requireParts(late, this.beans));
	}

	@ParameterizedTest
	@CsvSource({ "none, rateLimitFileRuleSource", "redis, ''", "redis, rateLimitFileRuleSource" })
	void aSourceOfLiveRulesThatComesTooLateIsRejected(String source, String bean) {
		if (!bean.isEmpty()) {
			this.beans.registerBeanDefinition(bean, new RootBeanDefinition(MemoryRuleSource.class));
		}
		assertThatExceptionOfType(StoreConfigurationException.class)
			.isThrownBy(() -> AotCheck.requireParts(environment("live.source", source), this.beans))
			.withMessage("'ratelimit.live.source' is '" + source
					+ "' but was not during AOT processing, where it must be set.");
	}

	@ParameterizedTest
	@CsvSource({ "none, own", "redis, own", "redis, rateLimitRedisRuleSource" })
	void aSourceOfLiveRulesThatWasThereIsNot(String source, String bean) {
		this.beans.registerBeanDefinition(bean, new RootBeanDefinition(MemoryRuleSource.class));
		assertThatNoException().isThrownBy(() -> AotCheck.requireParts(environment("live.source", source), this.beans));
	}

}
