package dev.ratelimit.actuate;

import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.engine.Edition;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.rule.RuleSet;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * The meters of the active rules: {@code ratelimit.rules.version}, the version of the
 * active rules, and {@code ratelimit.rules.adopted}, the number of versions that became
 * active.
 */
final class RuleSetMetrics implements MeterBinder {

	private final Editions editions;

	private final AtomicLong adopted = new AtomicLong();

	private RuleSet last = RuleSet.EMPTY;

	/**
	 * Create meters of editions.
	 * @param editions the editions
	 */
	RuleSetMetrics(Editions editions) {
		this.editions = editions;
		editions.addListener(this::count);
	}

	// A listener receives the current edition when it is added, even if no rules are
	// active yet. A switch makes another edition of the same rules.
	private synchronized void count(Edition edition) {
		RuleSet rules = edition.rules().written();
		if (!rules.equals(this.last)) {
			this.last = rules;
			this.adopted.incrementAndGet();
		}
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		Gauge.builder("ratelimit.rules.version", this.editions, (editions) -> editions.current().rules().version())
			.description("Version of the active rules")
			.register(registry);
		FunctionCounter.builder("ratelimit.rules.adopted", this.adopted, AtomicLong::get)
			.description("Versions of the rules that became active")
			.register(registry);
	}

}
