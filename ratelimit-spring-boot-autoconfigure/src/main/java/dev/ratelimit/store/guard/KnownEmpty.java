package dev.ratelimit.store.guard;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.ratelimit.Outcome;
import dev.ratelimit.Verdict;
import dev.ratelimit.store.Answer;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.Charge;

/**
 * The buckets that the store has said to be empty, each until its own retry-after. What
 * was exhausted when the store went away stays so for as long as it would have. A smaller
 * cost than the one that was refused may still fit, and is not answered here. Bounded: a
 * flood forgets the buckets that were asked for least. Thread-safe.
 */
final class KnownEmpty {

	private static final int MOST = 10_000;

	private final Ticker ticker;

	private final Cache<Bucket, Denial> denials;

	KnownEmpty(Ticker ticker) {
		this.ticker = ticker;
		this.denials = Caffeine.newBuilder()
			.maximumSize(MOST)
			.expireAfter(Expiry.writing((Bucket bucket, Denial denial) -> denial.lasts()))
			.ticker(ticker)
			.executor(Runnable::run)
			.build();
	}

	/**
	 * Remember what a refusal shows.
	 * @param answer an answer of the store
	 */
	void note(Answer answer) {
		for (int i = 0; i < answer.verdicts().size(); i++) {
			Verdict verdict = answer.verdicts().get(i);
			// Requests under way may end at any time.
			if (verdict.outcome() == Outcome.DENIED && verdict.retryAfterMillis() > 0
					&& !verdict.policy().concurrent()) {
				this.denials.put(answer.bucket(i), new Denial(verdict, this.ticker.read()));
			}
		}
	}

	/**
	 * The verdict on a charge that is known not to fit.
	 * @param charge the charge
	 * @return the verdict, if it is known
	 */
	Optional<Verdict> verdict(Charge charge) {
		Denial denial = (charge.cost() == 0) ? null : this.denials.getIfPresent(charge.bucket());
		if (denial == null || charge.cost() < denial.verdict.cost()) {
			return Optional.empty();
		}
		return Optional.of(denial.now(charge, this.ticker.read()));
	}

	void forget(Bucket bucket) {
		this.denials.invalidate(bucket);
	}

	private record Denial(Verdict verdict, long atNanos) {

		Duration lasts() {
			return Duration.ofMillis(this.verdict.retryAfterMillis());
		}

		Verdict now(Charge charge, long nowNanos) {
			long passedMillis = TimeUnit.NANOSECONDS.toMillis(nowNanos - this.atNanos);
			return new Verdict(this.verdict.policy(), (charge.shadow()) ? Outcome.SHADOW_DENIED : Outcome.DENIED,
					charge.cost(), this.verdict.remaining(), left(this.verdict.retryAfterMillis(), passedMillis),
					left(this.verdict.resetAfterMillis(), passedMillis),
					left(this.verdict.nextUnitMillis(), passedMillis));
		}

		private static long left(long millis, long passedMillis) {
			return Math.max(1, millis - passedMillis);
		}

	}

}
