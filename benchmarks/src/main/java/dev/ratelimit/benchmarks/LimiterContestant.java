package dev.ratelimit.benchmarks;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;

import dev.ratelimit.Decision;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.RuleCharge;

/**
 * The contestant of the library: decisions of {@link RateLimiter}.
 */
final class LimiterContestant implements Contestant {

	/** The option to release slots immediately. */
	static final String RELEASES = "releases";

	private final OurApplication application;

	private final RateLimiter limiter;

	private final String rule;

	private final List<String> rules;

	private final boolean both;

	private final boolean releases;

	LimiterContestant(Setup setup) {
		this.application = OurApplication.start(setup);
		this.limiter = this.application.limiter();
		this.rule = OurApplication.rule(setup);
		this.rules = OurApplication.rules(setup);
		this.both = OurApplication.both(setup);
		this.releases = setup.option(RELEASES, "false").equals("true");
	}

	@Override
	public CompletionStage<Boolean> decide(String key) {
		if (this.both) {
			return this.limiter.acquire(this.rules.stream().map((rule) -> RuleCharge.of(rule, key)).toList())
				.toFuture()
				.thenApply(this::decided);
		}
		return this.limiter.acquire(this.rule, key).toFuture().thenApply(this::decided);
	}

	// A request releases its slots at its end, and does not wait for the call.
	private boolean decided(Decision decision) {
		if (this.releases) {
			decision.reservation().release();
		}
		return decision.allowed();
	}

	@Override
	public boolean decideNow(String key) {
		return this.limiter.acquireBlocking(this.rule, key).allowed();
	}

	@Override
	public void close() {
		this.application.close();
	}

	/**
	 * The contestant of the library, for code that waits for the publisher.
	 */
	static final class Reactive implements MemoryContestant {

		private final LimiterContestant own;

		Reactive(Setup setup) {
			this.own = new LimiterContestant(setup);
		}

		@Override
		public boolean decideNow(String key) {
			return Objects.requireNonNull(this.own.limiter.acquire(this.own.rule, key).block()).allowed();
		}

		@Override
		public void close() {
			this.own.close();
		}

	}

	/**
	 * The contestant of the library, for code that reads the verdict, which is created by
	 * the read.
	 */
	static final class Looking implements MemoryContestant {

		private final LimiterContestant own;

		Looking(Setup setup) {
			this.own = new LimiterContestant(setup);
		}

		@Override
		public boolean decideNow(String key) {
			Decision decision = this.own.limiter.acquireBlocking(this.own.rule, key);
			return decision.verdicts().get(0).remaining() >= 0 && decision.allowed();
		}

		@Override
		public void close() {
			this.own.close();
		}

	}

}
