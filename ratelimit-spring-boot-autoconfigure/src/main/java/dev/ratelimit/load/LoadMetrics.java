package dev.ratelimit.load;

import java.util.Locale;
import java.util.function.ToDoubleFunction;

import dev.ratelimit.Criticality.Level;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * The meters of the load guard: {@code ratelimit.load.limit}; and by level
 * {@code ratelimit.load.inflight}, {@code queued}, and {@code requests} by outcome.
 */
final class LoadMetrics implements MeterBinder {

	private final LoadGuard guard;

	/**
	 * Create the meters of a guard.
	 * @param guard the guard
	 */
	LoadMetrics(LoadGuard guard) {
		this.guard = guard;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		Gauge.builder("ratelimit.load.limit", this.guard, LoadGuard::limit)
			.description("Requests that this instance processes at a time")
			.register(registry);
		for (Level level : Level.values()) {
			gauge(registry, "inflight", level, "Requests that are processed", LevelStatus::inFlight);
			gauge(registry, "queued", level, "Requests that wait for a seat", LevelStatus::queued);
			count(registry, level, "allowed", LevelStatus::allowed);
			count(registry, level, "shed", LevelStatus::shed);
			count(registry, level, "shed_late", LevelStatus::shedLate);
			count(registry, level, "would_shed", LevelStatus::wouldShed);
		}
	}

	private void gauge(MeterRegistry registry, String what, Level level, String about,
			ToDoubleFunction<LevelStatus> number) {
		Gauge.builder("ratelimit.load." + what, this.guard, (guard) -> number.applyAsDouble(guard.status(level)))
			.description(about)
			.tag("level", word(level))
			.register(registry);
	}

	private void count(MeterRegistry registry, Level level, String outcome, ToDoubleFunction<LevelStatus> number) {
		FunctionCounter
			.builder("ratelimit.load.requests", this.guard, (guard) -> number.applyAsDouble(guard.status(level)))
			.description("Requests at the load guard")
			.tag("level", word(level))
			.tag("outcome", outcome)
			.register(registry);
	}

	private static String word(Level level) {
		return level.name().toLowerCase(Locale.ROOT);
	}

}
