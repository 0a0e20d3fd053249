package dev.ratelimit.load;

import java.time.Duration;
import java.util.Map;

import dev.ratelimit.autoconfigure.EnableAuto;
import dev.ratelimit.base.Finding;
import dev.ratelimit.base.FindingCode;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.web.Levels;
import dev.ratelimit.web.RequestGate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class LoadPropertiesTests {

	@Test
	void defaultsAreThoseOfTheGuard() {
		LoadProperties load = bind(Map.of("ratelimit.load.enabled", "true"));
		assertThat(load.settings()).isEqualTo(LoadSettings.DEFAULT);
		assertThat(new LoadGuard(load.settings(), 0).limit()).isEqualTo(LimitRange.DEFAULT.initial());
	}

	@Test
	void aLevelsShareReplacesItsDefault() {
		LoadProperties load = bind(Map.of("ratelimit.load.levels.high", "20"));
		assertThat(load.settings().shares()).hasSize(4).containsValues(40, 20, 25, 5);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			limit                   | much   | it is neither a number nor adaptive
			mode                    | off    | requests are shed or only counted
			phase                   | auto   | the guard belongs to one phase
			reserve                 | some   | it is not a percentage
			queue.max-wait          | long   | it is neither a duration nor auto
			header                  | X-Crit | any client could call itself critical
			trusted-upstreams       | ::1    | there is nothing to believe them
			queue.flow              | caller | not authenticated in the early phase
			classify[0].authority   | ROLE_A | authorities are not known in the early phase
			classify[0].paths       | /a     | it says nothing about its requests
			classify[0].level       | low    | it does not say which requests it is about
			""")
	void invalidValueIsReported(String name, String value, String reason) {
		assertThatThrownBy(() -> bind(Map.of("ratelimit.load." + name, value))).isInstanceOf(BindException.class)
			.hasRootCauseInstanceOf(InvalidRuleException.class)
			.rootCause()
			.hasMessageContaining(reason);
	}

	@ParameterizedTest
	@CsvSource({ "limit, 0", "max, 5", "initial, 2", "levels.low, 40", "levels.low, 0", "reserve, 100%" })
	void numbersAreChecked(String name, String value) {
		LoadProperties load = bind(Map.of("ratelimit.load." + name, value));
		assertThatThrownBy(load::settings).isInstanceOf(InvalidRuleException.class)
			.hasMessageContaining(name.split("\\.")[0]);
	}

	// Such a source cannot list its property names.
	@Test
	void levelsOfASourceThatOnlyLooksUpNamesApply() {
		Map<String, Object> values = Map.of("ratelimit.load.classify[0].paths[0]", "/batch/**",
				"ratelimit.load.classify[0].level", "low");
		PropertySource<Object> source = new PropertySource<>("lookup") {

			@Override
			public @Nullable Object getProperty(String name) {
				return values.get(name);
			}

		};
		EnableAuto.reactive()
			.withInitializer((context) -> context.getEnvironment().getPropertySources().addFirst(source))
			.run((context) -> assertThat(context.getBean(RequestGate.class).settings().levels())
				.isNotSameAs(Levels.NONE));
	}

	@Test
	void nothingIsThereIfItIsNotEnabled() {
		EnableAuto.reactive()
			.run((context) -> assertThat(context).doesNotHaveBean(LoadGuard.class)
				.doesNotHaveBean(SeatStage.class)
				.doesNotHaveBean(LoadThreads.class));
	}

	@Test
	void theGuardFitsIntoTheThreadsOfTheServer() {
		LoadThreads fit = LoadThreads.of(LoadSettings.DEFAULT, 200);
		assertThat(fit.cuts()).extracting(LoadThreads.Cut::toString)
			.containsExactly("max: 1000 to 100", "queue.length: 200 to 50");
		assertThat(fit.settings().range().max()).isEqualTo(100);
		assertThat(fit.settings().queueLength()).isEqualTo(50);
		assertThat(LoadThreads.of(LoadSettings.DEFAULT, 2000).cuts()).isEmpty();
		assertThat(LoadThreads.remark(fit.settings(), 200))
			.isEqualTo("The load guard has at most 100 seats, and at most"
					+ " 50 requests wait for one, because the server has 200 threads");
		LoadSettings fixed = LoadThreads.of(bind(Map.of("ratelimit.load.limit", "40")).settings(), 200).settings();
		assertThat(LoadThreads.remark(fixed, 200)).startsWith("The load guard has 40 seats, and");
	}

	@Test
	void theDoctorTellsOfWrittenNumbersThatDoNotFit() {
		LoadThreads fit = LoadThreads.of(bind(Map.of("ratelimit.load.limit", "150")).settings(), 200);
		MockEnvironment environment = new MockEnvironment();
		assertThat(fit.check(environment).findings()).isEmpty();
		assertThat(fit.check(environment.withProperty("ratelimit.load.limit", "150")).findings()).singleElement()
			.isEqualTo(new Finding(FindingCode.LOAD_THREADS, "ratelimit.load",
					"The server has 200 threads, so these numbers are lower than written: [limit: 150 to 100]."));
	}

	@Test
	void utilizationIsOptIn() {
		assertThat(bind(Map.of("ratelimit.load.limit", "50")).settings().utilization()).isEmpty();
		assertThat(bind(Map.of("ratelimit.load.limit", "50", "ratelimit.load.utilization.enabled", "true",
				"ratelimit.load.utilization.shed-above", "90", "ratelimit.load.utilization.ramp", "1m"))
			.settings()
			.utilization()).contains(new UtilizationSettings(90, 70, Duration.ofSeconds(28), Duration.ofMinutes(1)));
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> bind(Map.of("ratelimit.load.utilization.enabled", "true")).settings())
			.withMessageContaining("'limit' to be a number");
	}

	@Test
	void upstreamsOfThisHostAreKnown() {
		assertThat(bind(Map.of("ratelimit.load.header", "X-Level", "ratelimit.load.trusted-upstreams",
				"10.0.0.1,127.0.0.1,::1,127.0.0.0/8,fd00::/8"))
			.localUpstreams()).containsExactly("127.0.0.1", "::1", "127.0.0.0/8");
	}

	private static LoadProperties bind(Map<String, String> properties) {
		return new Binder(new MapConfigurationPropertySource(properties)).bindOrCreate("ratelimit.load",
				LoadProperties.class);
	}

}
