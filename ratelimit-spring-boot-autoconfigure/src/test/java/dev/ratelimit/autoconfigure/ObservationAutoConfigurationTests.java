package dev.ratelimit.autoconfigure;

import dev.ratelimit.gate.PassageObserver;
import dev.ratelimit.observation.DefaultRateLimitObservationConvention;
import dev.ratelimit.observation.RateLimitObservationAutoConfiguration;
import dev.ratelimit.observation.RateLimitObservationConvention;
import dev.ratelimit.observation.RateLimitObservations;
import dev.ratelimit.web.reactive.ObservedWebFilter;
import dev.ratelimit.web.reactive.RateLimitWebFilter;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class ObservationAutoConfigurationTests {

	private static final String ENABLED = "ratelimit.observation.enabled=true";

	private static final String EARLY = "rateLimitEarlyFilter";

	@Test
	void nothingIsThereByDefault() {
		EnableAuto.reactive().run((context) -> {
			assertThat(context).doesNotHaveBean(PassageObserver.class);
			assertThat(context.getBean(EARLY)).isInstanceOf(RateLimitWebFilter.class);
		});
	}

	@Test
	void filtersOfWebFluxAreInTheSamePlace() {
		EnableAuto.reactive()
			.withPropertyValues(ENABLED)
			.run((context) -> assertThat(context.getBean(EARLY, ObservedWebFilter.class).getOrder()).isEqualTo(-101));
	}

	@Test
	void conventionsMayBeReplaced() {
		EnableAuto.servlet()
			.withPropertyValues(ENABLED)
			.withBean(RateLimitObservationConvention.class, Own::new)
			.run((context) -> assertThat(context.getBean(RateLimitObservations.class).convention())
				.isInstanceOf(Own.class));
	}

	@Test
	void withoutARegistryTheStartFails() {
		FailureAnalysis analysis = StartFailure.of(new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(RateLimitTimeAutoConfiguration.class,
					RateLimitAutoConfiguration.class, RateLimitObservationAutoConfiguration.class))
			.withPropertyValues(ENABLED));
		assertThat(StartFailure.text(analysis)).contains("ratelimit.observation.enabled",
				"there is no ObservationRegistry", "Add 'spring-boot-starter-actuator'");
	}

	@Test
	void aDisabledLimiterIsNotObserved() {
		EnableAuto.servlet()
			.withPropertyValues(ENABLED, "ratelimit.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(PassageObserver.class));
	}

	private static final class Own extends DefaultRateLimitObservationConvention {

	}

}
