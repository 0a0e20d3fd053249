package dev.ratelimit.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import dev.ratelimit.Decision;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import dev.ratelimit.rule.LimitDefinition;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.test.Engines;
import dev.ratelimit.test.Parallel;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Charges several limits of different algorithms from many threads, on one store or on
 * several stores that share buckets. The clock stands still, so that no units are
 * refilled.
 */
public final class CrowdedLimits {

	private static final int THREADS = 16;

	private static final int EACH = 40;

	private static final int TOTAL = 120;

	private final List<RateLimitEngine> engines = new ArrayList<>();

	public CrowdedLimits(LimitStore... stores) {
		for (LimitStore store : stores) {
			RateLimitEngine engine = Engines.of(store, Duration.ofSeconds(30), List.of());
			engine.editions()
				.adopt(List.of(RuleBuilder.rule("several")
					.limits("100/h")
					.limit(new LimitDefinition("150/d", OptionalLong.empty(), Optional.of("fixed-window")))
					.limit(new LimitDefinition("80/2d", OptionalLong.empty(), Optional.of("sliding-log")))
					.limit(new LimitDefinition("400/3d", OptionalLong.empty(), Optional.of("sliding-window")))
					.build(), RuleBuilder.rule("total").limits(TOTAL + "/d").algorithm("gcra").build()));
			this.engines.add(engine);
		}
	}

	/**
	 * Check that the limits are used up exactly.
	 * @param source the expected source
	 */
	public void check(Source source) {
		List<Decision> ann = new ArrayList<>();
		List<Decision> bob = new ArrayList<>();
		List<List<Decision>> decisions = Parallel.run(THREADS * this.engines.size(), this::tryAcquire);
		for (int i = 0; i < decisions.size(); i++) {
			((subject(i).equals("user:ann")) ? ann : bob).addAll(decisions.get(i));
		}
		assertThat(ann).hasSameSizeAs(bob).allMatch((decision) -> decision.source() == source);
		assertThat(bob).allMatch((decision) -> decision.source() == source);
		long ofAnn = allowed(ann);
		long ofBob = allowed(bob);
		assertThat(ofAnn + ofBob).isEqualTo(TOTAL);
		assertThat(List.of(ofAnn, ofBob)).allMatch((allowed) -> allowed >= TOTAL - 80 && allowed <= 80);
		assertThat(left("several", "user:ann")).containsExactly(100 - ofAnn, 150 - ofAnn, 80 - ofAnn, 400 - ofAnn);
		assertThat(left("several", "user:bob")).containsExactly(100 - ofBob, 150 - ofBob, 80 - ofBob, 400 - ofBob);
		assertThat(left("total", "global")).containsExactly(0L);
	}

	private List<Decision> tryAcquire(int thread) {
		RateLimitEngine engine = this.engines.get(thread % this.engines.size());
		List<AppliedRule> uses = List.of(use(engine, "several", subject(thread), 1), use(engine, "total", "global", 1));
		List<Decision> decisions = new ArrayList<>();
		for (int i = 0; i < EACH; i++) {
			decisions.add(engine.decide(uses, Optional.empty(), engine.deadline().toNanos()).join());
		}
		return decisions;
	}

	private List<Long> left(String rule, String subject) {
		RateLimitEngine engine = this.engines.get(0);
		return engine.decide(List.of(use(engine, rule, subject, 0)), Optional.empty(), engine.deadline().toNanos())
			.join()
			.verdicts()
			.stream()
			.map(Verdict::remaining)
			.toList();
	}

	private static AppliedRule use(RateLimitEngine engine, String rule, String subject, long cost) {
		return AppliedRule.of(engine.rule(rule).orElseThrow(), subject, cost);
	}

	// Each store is called for both subjects.
	private static String subject(int thread) {
		return ((thread / 2) % 2 == 0) ? "user:ann" : "user:bob";
	}

	private static long allowed(List<Decision> decisions) {
		return decisions.stream().filter(Decision::allowed).count();
	}

}
