package dev.ratelimit.actuate;

import java.util.List;

import dev.ratelimit.RuleMode;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.engine.RegionTerms;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.store.Time;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RuleSetMetricsTests {

	private final Editions editions = new Editions();

	private final MeterRegistry meters = new SimpleMeterRegistry();

	@Test
	void theActiveVersionIsShown() {
		new RuleSetMetrics(this.editions).bindTo(this.meters);
		assertThat(version()).isZero();
		assertThat(adopted()).isZero();
		adopt("1/min");
		adopt("2/min");
		assertThat(version()).isEqualTo(2);
		assertThat(adopted()).isEqualTo(2);
	}

	@Test
	void rulesThatWereActiveBeforeCount() {
		adopt("1/min");
		new RuleSetMetrics(this.editions).bindTo(this.meters);
		assertThat(adopted()).isEqualTo(1);
	}

	@Test
	void rulesThatAreRejectedDoNotCount() {
		new RuleSetMetrics(this.editions).bindTo(this.meters);
		adopt("1/min");
		this.editions.addCheck((rules) -> {
			throw new InvalidRuleException("rules", "all", "a test rejects them", "Do not test.");
		});
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> adopt("2/min"));
		assertThat(version()).isEqualTo(1);
		assertThat(adopted()).isEqualTo(1);
	}

	@Test
	void switchesDoNotCount() {
		new RuleSetMetrics(this.editions).bindTo(this.meters);
		adopt("1/min");
		this.editions.adopt((rule) -> RuleMode.SHADOW);
		assertThat(adopted()).isEqualTo(1);
	}

	@Test
	void anInstanceOfARegionHasAdoptedNothingBeforeItsRules() {
		new RuleSetMetrics(new Editions(Time.SYSTEM, new RegionTerms("eu", 50))).bindTo(this.meters);
		assertThat(adopted()).isZero();
	}

	private void adopt(String limit) {
		this.editions.adopt(List.of(RuleBuilder.rule("search").limits(limit).build()));
	}

	private double version() {
		return this.meters.get("ratelimit.rules.version").gauge().value();
	}

	private double adopted() {
		return this.meters.get("ratelimit.rules.adopted").functionCounter().count();
	}

}
