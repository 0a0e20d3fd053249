package dev.ratelimit.store.hold;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;

import dev.ratelimit.Limit;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleSet;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * Internal: provides meters of the slots that this instance holds,
 * {@code ratelimit.holdings} by {@code rule}, and of their renewals,
 * {@code ratelimit.renewals} by {@code result} and {@code ratelimit.reclaimed}. The
 * meters are created with the first rule that has slots.
 */
public final class HoldingMetrics {

	private static final String RENEWALS = "ratelimit.renewals";

	private final MeterRegistry registry;

	private final HoldingStatus status;

	private final Map<String, Meter> byRule = new ConcurrentHashMap<>();

	/**
	 * Create the meters of a status.
	 * @param registry the registry for the meters
	 * @param status the status
	 */
	public HoldingMetrics(MeterRegistry registry, HoldingStatus status) {
		this.registry = registry;
		this.status = status;
	}

	/**
	 * Show the rules of a set, and no other rules.
	 * @param rules the rules
	 */
	public void follow(RuleSet rules) {
		boolean first = this.byRule.isEmpty();
		for (Rule rule : rules.rules().values()) {
			if (rule.numbers().all().anyMatch(Limit::concurrent)) {
				this.byRule.computeIfAbsent(rule.id(), this::gauge);
			}
		}
		this.byRule.keySet().removeIf((id) -> !rules.rules().containsKey(id) && remove(id));
		if (first && !this.byRule.isEmpty()) {
			count(RENEWALS, "renewed", "Renewed buckets with slots", HoldingStatus::renewed);
			count(RENEWALS, "failed", "Renewed buckets with slots", HoldingStatus::failed);
			FunctionCounter.builder("ratelimit.reclaimed", this.status, HoldingStatus::reclaimed)
				.description("Buckets whose slots the store had lost, and knows again")
				.register(this.registry);
		}
	}

	private Meter gauge(String rule) {
		return Gauge.builder("ratelimit.holdings", this.status, (status) -> status.held(rule))
			.description("Slots that requests and connections of this instance hold")
			.tag("rule", rule)
			.register(this.registry);
	}

	private boolean remove(String rule) {
		Meter gone = this.byRule.get(rule);
		return gone == null || this.registry.remove(gone) != null;
	}

	private void count(String name, String result, String about, ToDoubleFunction<HoldingStatus> number) {
		FunctionCounter.builder(name, this.status, number)
			.description(about)
			.tag("result", result)
			.register(this.registry);
	}

}
