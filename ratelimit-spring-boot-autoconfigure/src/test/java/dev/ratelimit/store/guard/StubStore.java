package dev.ratelimit.store.guard;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import dev.ratelimit.Outcome;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import dev.ratelimit.algorithm.LimitCalculator;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.ReplayState;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreException.Kind;
import dev.ratelimit.store.StoreNodes;
import dev.ratelimit.store.StoreStage;
import org.jspecify.annotations.Nullable;

/**
 * A store and a check whose results the test defines.
 */
class StubStore implements StoreStage, StoreNodes {

	final AtomicInteger calls = new AtomicInteger();

	final AtomicInteger checks = new AtomicInteger();

	final List<Settlement> settled = new CopyOnWriteArrayList<>();

	volatile boolean renewsSlots;

	private volatile Supplier<CompletableFuture<AcquireResult>> answer = CompletableFuture::new;

	private volatile @Nullable RuntimeException ailment;

	void answers(Supplier<CompletableFuture<AcquireResult>> answer) {
		this.answer = answer;
	}

	void answers(AcquireResult answer) {
		answers(() -> CompletableFuture.completedFuture(answer));
	}

	void fails(Kind kind) {
		answers(() -> CompletableFuture.failedFuture(new StoreException(kind, "as told", null)));
	}

	void stalls() {
		answers(CompletableFuture::new);
	}

	void checkFails(RuntimeException ailment) {
		this.ailment = ailment;
	}

	void checkFails(Kind kind) {
		checkFails(new StoreException(kind, "as told", null));
	}

	void checkSucceeds() {
		this.ailment = null;
	}

	static AcquireResult refusing(AcquireRequest demand, long retryAfterMillis) {
		Charge charge = demand.charges().get(0);
		return AcquireResult.of(demand, false, Source.REMOTE, 0, List.of(new Verdict(charge.bucket().family().policy(),
				Outcome.REJECTED, charge.cost(), 0, retryAfterMillis, retryAfterMillis, retryAfterMillis)));
	}

	static AcquireResult admitting(AcquireRequest demand) {
		return AcquireResult.of(demand, new long[][] { LimitCalculator.EMPTY }, true, ReplayState.NONE, Source.REMOTE,
				0);
	}

	@Override
	public String name() {
		return "stub";
	}

	@Override
	public CompletableFuture<AcquireResult> acquire(AcquireRequest demand) {
		this.calls.incrementAndGet();
		return this.answer.get();
	}

	@Override
	public CompletableFuture<Void> settle(List<Settlement> settlements) {
		this.settled.addAll(settlements);
		return CompletableFuture.completedFuture(null);
	}

	@Override
	public boolean renewsSlots() {
		return this.renewsSlots;
	}

	@Override
	public CompletableFuture<Void> reset(List<Bucket> buckets) {
		return CompletableFuture.completedFuture(null);
	}

	@Override
	public String nodeOf(Bucket bucket) {
		return name();
	}

	@Override
	public Set<String> nodes() {
		return Set.of(name());
	}

	@Override
	public void check(String node, Duration timeout) {
		this.checks.incrementAndGet();
		RuntimeException failure = this.ailment;
		if (failure != null) {
			throw failure;
		}
	}

}
