package dev.ratelimit.autoconfigure;

import java.util.function.Consumer;

import dev.ratelimit.Decision;
import dev.ratelimit.gate.Call;
import dev.ratelimit.gate.PassageObserver;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.observation.DefaultRateLimitObservationConvention;
import dev.ratelimit.observation.RateLimitObservationAutoConfiguration;
import dev.ratelimit.observation.RateLimitObservationConvention;
import dev.ratelimit.observation.RateLimitObservations;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.Ordered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

class ObservationAutoConfigurationTests {

	private static final String ENABLED = "ratelimit.observation.enabled=true";

	private static final String EARLY = "rateLimitEarlyFilter";

	@Test
	void nothingIsThereByDefault() {
		EnableAuto.reactive().run((context) -> {
			assertThat(context).doesNotHaveBean(PassageObserver.class);
			assertThat(context.getBean(EARLY).getClass().getSimpleName()).isEqualTo("RateLimitWebFilter");
		});
	}

	@Test
	void filtersOfWebFluxAreInTheSamePlace() {
		EnableAuto.reactive().withPropertyValues(ENABLED).run((context) -> {
			assertThat(context.getBean(EARLY).getClass().getSimpleName()).isEqualTo("ObservedWebFilter");
			assertThat(context.getBean(EARLY, Ordered.class).getOrder()).isEqualTo(-101);
		});
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
	void aDecisionThatCannotBeObservedIsMadeAllTheSame() {
		ObservationRegistry failing = ObservationRegistry.create();
		failing.observationConfig().observationHandler(new ObservationHandler<>() {

			@Override
			public void onStop(Observation.Context context) {
				throw new IllegalStateException("as told");
			}

			@Override
			public boolean supportsContext(Observation.Context context) {
				return true;
			}

		});
		Call call = mock();
		Consumer<Decision> observer = new RateLimitObservations(failing, new DefaultRateLimitObservationConvention())
			.enter("late", call, RequestProgress.START);
		assertThatNoException().isThrownBy(() -> observer.accept(Decision.UNMATCHED));
		RateLimitObservationConvention broken = mock();
		given(broken.supportsContext(any())).willThrow(new NoClassDefFoundError("as told"));
		assertThatNoException()
			.isThrownBy(() -> new RateLimitObservations(failing, broken).enter("late", call, RequestProgress.START)
				.accept(Decision.UNMATCHED));
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
