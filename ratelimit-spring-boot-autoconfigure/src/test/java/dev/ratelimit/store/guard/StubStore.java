package dev.ratelimit.store.guard;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import dev.ratelimit.Source;
import dev.ratelimit.algorithm.Arithmetic;
import dev.ratelimit.store.Answer;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.Demand;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.StoreCheck;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreException.Kind;
import org.jspecify.annotations.Nullable;

/**
 * A store that answers what the test says, and a check that says what the test wants.
 */
final class StubStore implements LimitStore, StoreCheck {

	final AtomicInteger calls = new AtomicInteger();

	final AtomicInteger checks = new AtomicInteger();

	private volatile Supplier<CompletableFuture<Answer>> answer = CompletableFuture::new;

	private volatile @Nullable RuntimeException ailment;

	void answers(Supplier<CompletableFuture<Answer>> answer) {
		this.answer = answer;
	}

	void answers(Answer answer) {
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

	static Answer admitting(Demand demand) {
		return Answer.of(demand, new long[][] { Arithmetic.EMPTY }, true, false, Source.REMOTE, 0);
	}

	@Override
	public String name() {
		return "stub";
	}

	@Override
	public CompletableFuture<Answer> acquire(Demand demand) {
		this.calls.incrementAndGet();
		return this.answer.get();
	}

	@Override
	public CompletableFuture<Void> settle(List<Settlement> settlements) {
		return CompletableFuture.completedFuture(null);
	}

	@Override
	public CompletableFuture<Void> reset(List<Bucket> buckets) {
		return CompletableFuture.completedFuture(null);
	}

	@Override
	public void check() {
		this.checks.incrementAndGet();
		RuntimeException failure = this.ailment;
		if (failure != null) {
			throw failure;
		}
	}

}
