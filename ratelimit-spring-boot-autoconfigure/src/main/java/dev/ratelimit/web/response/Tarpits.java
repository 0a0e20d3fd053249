package dev.ratelimit.web.response;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

import dev.ratelimit.Outcome;
import dev.ratelimit.Verdict;
import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.engine.Edition;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.rule.Tarpit;

/**
 * Internal: the delayed rejections by rule. The rejection of a client that disconnects
 * keeps its place until the end of the delay, so that the number of timers is bounded.
 * Thread-safe.
 */
public final class Tarpits {

	/** The outcomes of requests that have exceeded a limit, with or without a wait. */
	private static final Set<Outcome> EXCEEDING = EnumSet.of(Outcome.REJECTED, Outcome.QUEUE_FULL, Outcome.WAITED_OUT);

	private static final double SPREAD = 0.2;

	private final Map<String, AtomicInteger> counts = new ConcurrentHashMap<>();

	private final Set<CompletableFuture<Void>> delayed = ConcurrentHashMap.newKeySet();

	private final BiConsumer<Duration, Runnable> timer;

	private volatile boolean isOpen = true;

	/**
	 * Create tarpits without delayed rejections.
	 * @param timer runs an action after a delay
	 */
	public Tarpits(BiConsumer<Duration, Runnable> timer) {
		this.timer = timer;
	}

	/**
	 * Find the delay of a rejection.
	 * @param progress the rejected request
	 * @return the first exceeded rule that delays rejections; empty if there is none
	 */
	public static Optional<Delay> of(RequestProgress progress) {
		Edition edition = progress.edition();
		if (edition == null) {
			return Optional.empty();
		}
		// A loop avoids allocations for rules without delays, which are nearly all.
		List<Verdict> verdicts = progress.decision().verdicts();
		for (int i = 0; i < verdicts.size(); i++) {
			String id = verdicts.get(i).policy().ruleId();
			CompiledRule rule = edition.compiled().get(id);
			Optional<Tarpit> tarpit = (rule != null && EXCEEDING.contains(verdicts.get(i).outcome()))
					? rule.rule().reaction().excess().tarpit() : Optional.empty();
			if (tarpit.isPresent()) {
				return Optional.of(new Delay(id, tarpit.get()));
			}
		}
		return Optional.empty();
	}

	/**
	 * Delay a rejection, if there is a place for it.
	 * @param delay the rule that delays it
	 * @return completed when the rejection must be sent; empty to send it at once
	 */
	public Optional<CompletableFuture<Void>> enter(Delay delay) {
		AtomicInteger count = this.counts.computeIfAbsent(delay.rule(), (id) -> new AtomicInteger());
		if (count.incrementAndGet() > delay.tarpit().max()) {
			count.decrementAndGet();
			return Optional.empty();
		}
		CompletableFuture<Void> over = new CompletableFuture<>();
		this.delayed.add(over);
		over.whenComplete((done, failure) -> {
			count.decrementAndGet();
			this.delayed.remove(over);
		});
		this.timer.accept(delay(delay.tarpit()), () -> over.complete(null));
		if (!this.isOpen) {
			over.complete(null);
		}
		return Optional.of(over);
	}

	private static Duration delay(Tarpit tarpit) {
		double spread = 1 - SPREAD + 2 * SPREAD * ThreadLocalRandom.current().nextDouble();
		return Duration.ofMillis(
				Math.min(Tarpit.MAX_DELAY.toMillis(), Math.max(1, Math.round(tarpit.delay().toMillis() * spread))));
	}

	/** Delay rejections again, after {@link #close}. */
	public void open() {
		this.isOpen = true;
	}

	/** Send all delayed rejections now, and further ones at once. */
	public void close() {
		this.isOpen = false;
		this.delayed.forEach((over) -> over.complete(null));
	}

	/**
	 * A rule that delays a rejection.
	 *
	 * @param rule its id
	 * @param tarpit the delay and maximum number of rejections
	 */
	public record Delay(String rule, Tarpit tarpit) {
	}

}
