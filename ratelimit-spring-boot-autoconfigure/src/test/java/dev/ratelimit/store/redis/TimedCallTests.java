package dev.ratelimit.store.redis;

import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreException.Kind;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests a call that may charge until 50 ms after its start.
 */
class TimedCallTests {

	private static final long SERVER = 50_000_000_000L;

	private static final long[] TOO_LATE = { SERVER };

	private final AtomicLong nanos = new AtomicLong(7_000_000_000L);

	private final ServerClock clock = new ServerClock(InstantSource.system(), this.nanos::get);

	private final Deque<Supplier<CompletableFuture<long[]>>> replies = new ArrayDeque<>();

	private final TestCall call = new TestCall();

	@Test
	void isMadeOnceMoreIfTheClockOfTheServerWasSet() {
		this.replies.add(() -> CompletableFuture.completedFuture(TOO_LATE));
		this.replies.add(() -> CompletableFuture.completedFuture(new long[] { SERVER, 1 }));
		this.call.start();
		assertThat(this.call).isCompletedWithValue(SERVER);
		assertThat(this.clock.nowMillis()).isEqualTo(SERVER);
	}

	@Test
	void isNotMadeAThirdTime() {
		this.replies.add(() -> CompletableFuture.completedFuture(TOO_LATE));
		this.replies.add(() -> CompletableFuture.completedFuture(TOO_LATE));
		this.call.start();
		assertFailedWith(Kind.TIMEOUT);
	}

	@Test
	void isNotMadeAgainAfterItsDeadline() {
		this.replies.add(() -> {
			this.nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(50));
			return CompletableFuture.completedFuture(TOO_LATE);
		});
		this.call.start();
		assertFailedWith(Kind.TIMEOUT);
		assertThat(this.clock.isKnown()).isFalse();
	}

	@Test
	void endsIfItCannotBeMadeOnceMore() {
		CompletableFuture<long[]> first = new CompletableFuture<>();
		this.replies.add(() -> first);
		this.replies.add(() -> {
			throw new IllegalStateException("the connection is closed");
		});
		this.call.start();
		first.complete(TOO_LATE);
		assertFailedWith(Kind.OTHER);
	}

	@Test
	void endsIfItsReplyHasNoResult() {
		this.replies.add(() -> CompletableFuture.completedFuture(new long[0]));
		this.call.start();
		assertFailedWith(Kind.OTHER);
	}

	private void assertFailedWith(Kind kind) {
		assertThat(this.replies).isEmpty();
		assertThat(this.call).isCompletedExceptionally();
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> {
			try {
				this.call.join();
			}
			catch (RuntimeException ex) {
				throw StoreException.of(ex);
			}
		}).satisfies((failure) -> assertThat(failure.kind()).isEqualTo(kind));
	}

	private final class TestCall extends TimedCall<Long> {

		TestCall() {
			super(TimedCallTests.this.clock, TimedCallTests.this.nanos.get() + TimeUnit.MILLISECONDS.toNanos(50));
		}

		@Override
		CompletableFuture<long[]> run() {
			return TimedCallTests.this.replies.remove().get();
		}

		@Override
		Long result(Reply reply) {
			return reply.atMillis();
		}

	}

}
