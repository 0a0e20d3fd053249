package dev.ratelimit.store;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;

import dev.ratelimit.Outcome;
import dev.ratelimit.Verdict;
import dev.ratelimit.test.GoldenVectors;
import dev.ratelimit.test.GoldenVectors.Step;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the steps of golden vectors on the stores of the participating instances.
 */
public final class VectorPlayer {

	/** Redis deletes a key by its own clock, at the earliest after one second. */
	private static final long STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(900);

	private static final int MAX_ATTEMPTS = 10;

	private final BucketFamily family;

	private final Bucket bucket;

	private final LongFunction<? extends LimitStore> stores;

	public VectorPlayer(BucketFamily family, String subject, LongFunction<? extends LimitStore> stores) {
		this.family = family;
		this.bucket = new Bucket(family, subject);
		this.stores = stores;
	}

	/**
	 * Run all steps. A run that the machine delayed is inconclusive if it fails, and is
	 * repeated with another subject.
	 * @param vectors the steps
	 * @param family the buckets
	 * @param stores supplies the store of an instance
	 * @param clock sets the clock of the stores
	 */
	public static void play(GoldenVectors vectors, BucketFamily family, LongFunction<? extends LimitStore> stores,
			LongConsumer clock) {
		for (int attempt = 1;; attempt++) {
			VectorPlayer player = new VectorPlayer(family, vectors.note() + attempt, stores);
			long startNanos = System.nanoTime();
			try {
				vectors.steps().forEach((step) -> {
					clock.accept(step.atMillis());
					player.play(step);
				});
				return;
			}
			catch (AssertionError ex) {
				if (attempt == MAX_ATTEMPTS || System.nanoTime() - startNanos < STALL_NANOS) {
					throw ex;
				}
			}
		}
	}

	public void play(Step step) {
		StoreStage store = StoreStage.of(this.stores.apply(step.holder()));
		switch (step.op()) {
			case ACQUIRE -> {
			}
			case RELEASE -> store.settle(List.of(new Settlement(this.bucket, step.atMillis(), -step.cost()))).join();
			case RENEW -> store.renew(Map.of(this.bucket, step.cost())).join();
		}
		AcquireResult answer = store
			.acquire(Demands.of(Demands.charge(this.family, this.bucket.subject(), step.asked())))
			.join();
		assertThat(answer.allowed()).as(step.toString()).isEqualTo(step.allowed());
		assertThat(answer.verdicts()).as(step.toString())
			.containsExactly(new Verdict(this.family.policy(), (step.allowed()) ? Outcome.ALLOWED : Outcome.REJECTED,
					step.asked(), step.remaining(), step.retryAfterMillis(), step.resetMillis(), step.nextUnitMillis(),
					step.delayMillis()));
	}

}
