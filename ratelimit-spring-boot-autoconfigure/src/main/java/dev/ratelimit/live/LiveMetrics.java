package dev.ratelimit.live;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.rule.EnumNames;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Meters of live rules and switches.
 *
 * @param rules the live rules, if there is a source
 * @param switches the switches, if they are supported
 */
record LiveMetrics(Optional<LiveRules> rules, Optional<Switches> switches) implements MeterBinder {

	@Override
	public void bindTo(MeterRegistry registry) {
		this.rules.ifPresent((live) -> bind(live, registry));
		this.switches.ifPresent((changed) -> bind(changed, registry));
	}

	private static void bind(LiveRules live, MeterRegistry registry) {
		FunctionCounter.builder("ratelimit.rules.rejected", live, LiveRules::rejections)
			.description("Versions of the live rules that were rejected")
			.register(registry);
		Gauge.builder("ratelimit.rules.digest", live, LiveRules::shortDigest)
			.description("First 48 bits of the digest of the live rules that are active")
			.register(registry);
		TimeGauge.builder("ratelimit.rules.source.age", live, TimeUnit.MILLISECONDS, (rules) -> rules.sourceAgeMillis())
			.description("Time since the source of live rules was read")
			.register(registry);
		FunctionTimer
			.builder("ratelimit.rules.adoption", live, LiveRules::adoptions, LiveRules::lagMillisTotal,
					TimeUnit.MILLISECONDS)
			.description("How late versions of the live rules became active")
			.register(registry);
	}

	private static void bind(Switches switches, MeterRegistry registry) {
		MultiGauge gauge = MultiGauge.builder("ratelimit.switch")
			.description("Switches that are active, by rule and mode")
			.register(registry);
		switches.addFollower((active) -> gauge.register(rows(active), true));
	}

	private static List<MultiGauge.Row<?>> rows(List<ActiveSwitch> active) {
		return active.stream()
			.map(ActiveSwitch::change)
			.map((change) -> Tags.of("rule", change.rule().orElse("*"), "mode", EnumNames.of(change.mode())))
			.distinct().<MultiGauge.Row<?>>map((tags) -> MultiGauge.Row.of(tags, 1)).toList();
	}

}
