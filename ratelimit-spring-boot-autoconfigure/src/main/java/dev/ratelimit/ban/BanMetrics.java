package dev.ratelimit.ban;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

import dev.ratelimit.rule.EnumNames;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Meters of bans, marks, and pauses.
 *
 * @param bans the bans
 */
record BanMetrics(Bans bans) implements MeterBinder {

	@Override
	public void bindTo(MeterRegistry registry) {
		Map<BanCounts.Name, Meter> counters = new ConcurrentHashMap<>();
		this.bans.counts()
			.follow((name, count) -> counters.put(name, counter(name, count, registry)),
					(name) -> Optional.ofNullable(counters.remove(name)).ifPresent(registry::remove));
		MultiGauge gauge = MultiGauge.builder("ratelimit.bans")
			.description("Clients that are banned, marked, or paused, by rule")
			.register(registry);
		this.bans.addFollower((active) -> gauge.register(rows(active), true));
	}

	private static Meter counter(BanCounts.Name name, LongAdder count, MeterRegistry registry) {
		return FunctionCounter.builder("ratelimit.bans.events", count, LongAdder::sum)
			.description("Strikes, bans, and lifts, by rule")
			.tag("rule", name.rule())
			.tag("event", EnumNames.of(name.event()))
			.register(registry);
	}

	private static List<MultiGauge.Row<?>> rows(List<Ban> active) {
		Map<Tags, Long> counts = active.stream()
			.collect(Collectors.groupingBy((ban) -> Tags.of("rule", ban.rule(), "kind", EnumNames.of(ban.kind())),
					Collectors.counting()));
		return counts.entrySet()
			.stream().<MultiGauge.Row<?>>map((row) -> MultiGauge.Row.of(row.getKey(), row.getValue())).toList();
	}

}
