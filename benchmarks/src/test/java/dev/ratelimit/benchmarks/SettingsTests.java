package dev.ratelimit.benchmarks;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SettingsTests {

	@Test
	void withoutPropertiesEverythingIsMeasuredInFull() {
		Settings settings = settings(Map.of());
		assertThat(settings.quick()).isFalse();
		assertThat(settings.wantsTable("strict")).isTrue();
		assertThat(settings.wantsRow("Redisson")).isTrue();
		assertThat(settings.many(1_000_000)).isEqualTo(1_000_000);
		assertThat(settings.docs()).isEmpty();
	}

	@Test
	void quickHasOneTableOfEachKindUnlessTheyAreNamed() {
		assertThat(settings(Map.of("quick", "true")).wantsTable("strict")).isTrue();
		assertThat(settings(Map.of("quick", "true")).wantsTable("leased")).isFalse();
		assertThat(settings(Map.of("quick", "true", "tables", "leased")).wantsTable("leased")).isTrue();
		assertThat(settings(Map.of()).wantsTable("leased")).isTrue();
	}

	@Test
	void quickHasFewKeysAndShortRounds() {
		Settings settings = settings(Map.of("quick", "true"));
		assertThat(settings.many(1_000_000)).isEqualTo(5_000);
		assertThat(settings.decisions().measure()).isLessThan(settings(Map.of()).decisions().measure());
	}

	@Test
	void propertiesChooseTablesRowsAndPace() {
		Settings settings = settings(Map.of("tables", "strict, memory", "rows", "floor,RateLimiter", "measure", "PT4S",
				"rounds", "3", "http.rounds", "2", "docs", "docs"));
		assertThat(settings.wantsTable("memory")).isTrue();
		assertThat(settings.wantsTable("hot")).isFalse();
		assertThat(settings.wantsRow("floor script")).isTrue();
		assertThat(settings.wantsRow("Redisson")).isFalse();
		assertThat(settings.decisions().measure()).isEqualTo(Duration.ofSeconds(4));
		assertThat(settings.decisions().rounds()).isEqualTo(3);
		assertThat(settings.http().rounds()).isEqualTo(2);
		assertThat(settings.docs()).contains(Path.of("docs"));
	}

	@Test
	void anEarlierBuildIsMeasuredIfItsCheckoutIsNamed() {
		assertThat(HttpTables.all(settings(Map.of()))).extracting((table) -> table.layout().id())
			.doesNotContain("http-before-servlet");
		assertThat(HttpTables.all(settings(Map.of("before", "../earlier"))))
			.filteredOn((table) -> table.layout().id().startsWith("http-before"))
			.hasSize(2)
			.allSatisfy((table) -> assertThat(((HttpTable) table).rows())
				.filteredOn((row) -> row.name().startsWith("before"))
				.hasSize(3)
				.allMatch((row) -> row.checkout().equals(Path.of("../earlier"))));
	}

	@Test
	void wrongDurationFails() {
		assertThatThrownBy(() -> settings(Map.of("measure", "4s"))).hasMessageContaining("cannot be parsed");
	}

	private static Settings settings(Map<String, String> values) {
		Properties properties = new Properties();
		properties.putAll(values);
		return Settings.of(properties);
	}

}
