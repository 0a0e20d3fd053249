package dev.ratelimit.store.memory;

import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.ReplayMarker;
import dev.ratelimit.store.Settlement;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests a store with less room than a single request needs, or without room because of
 * other requests.
 */
@Timeout(value = 20, unit = TimeUnit.SECONDS, threadMode = ThreadMode.SEPARATE_THREAD)
class MemoryCapacityCheckTests {

	private static final long TODAY = 60_000_000_000L;

	private static final BucketFamily SECOND = Demands.perMinute("a", 5);

	private static final BucketFamily MINUTE = Demands.perMinute("b", 5);

	private static final BucketFamily HOUR = Demands.perMinute("c", 5);

	private static final BucketFamily DAY = Demands.perMinute("d", 5);

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3 })
	void requestWithMoreLimitsThanThereIsRoomForIsAnswered(long room) {
		MemoryLimitStore store = new MemoryLimitStore(room, () -> TODAY);
		for (int i = 0; i < 100; i++) {
			AcquireResult answer = store.acquire(Demands.of(four("ann-" + i))).join();
			assertThat(answer.allowed()).isTrue();
			assertThat(answer.verdicts()).hasSize(4).allMatch((verdict) -> verdict.remaining() == 4);
		}
		assertThat(store.size()).isLessThanOrEqualTo(room);
		assertThat(store.liveEvictions()).isGreaterThanOrEqualTo(100);
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3 })
	void newSubjectIsAnsweredWhereBusyOnesFillTheRoom(long room) {
		MemoryLimitStore store = new MemoryLimitStore(room, () -> TODAY);
		for (int i = 0; i < 1000; i++) {
			store.acquire(Demands.of(Demands.charge(SECOND, "busy-" + i % room, 1))).join();
		}
		for (int i = 0; i < 100; i++) {
			assertThat(store.acquire(Demands.of(Demands.charge(SECOND, "ann-" + i, 1))).join().allowed()).isTrue();
			assertThat(store.acquire(Demands.of(four("bob-" + i))).join().allowed()).isTrue();
		}
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3 })
	void correctionsAndReplaysEndAsWell(long room) {
		MemoryLimitStore store = new MemoryLimitStore(room, () -> TODAY);
		for (int i = 0; i < 100; i++) {
			String subject = "ann-" + i;
			AcquireResult answer = store
				.acquire(Demands.of(new ReplayMarker(subject, "id", 1000, 3, 10), four(subject)))
				.join();
			store.release(answer).join();
			store.settle(List.of(settlement(SECOND, subject), settlement(MINUTE, subject), settlement(HOUR, subject),
					settlement(DAY, subject)))
				.join();
		}
		assertThat(store.size()).isLessThanOrEqualTo(room);
	}

	private static Charge[] four(String subject) {
		return new Charge[] { Demands.charge(SECOND, subject, 1), Demands.charge(MINUTE, subject, 1),
				Demands.charge(HOUR, subject, 1), Demands.charge(DAY, subject, 1) };
	}

	private static Settlement settlement(BucketFamily family, String subject) {
		return new Settlement(new Bucket(family, subject), TODAY, 1);
	}

}
