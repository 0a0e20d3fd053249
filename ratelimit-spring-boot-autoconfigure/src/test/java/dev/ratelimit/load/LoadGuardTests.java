package dev.ratelimit.load;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;

import com.sun.management.ThreadMXBean;
import dev.ratelimit.Criticality.Level;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.mock;

class LoadGuardTests {

	private static final long MILLI = 1_000_000;

	private long now;

	@Test
	void aFreeSeatIsTakenAtOnce() {
		LoadGuard guard = guard(2, 10);
		assertThat(guard.sheds(Level.NORMAL, "a", this.now)).isFalse();
		Seat seat = seat(guard, Level.NORMAL, "a");
		assertThat(seat.isShed()).isFalse();
		assertThat(seat.isWaiting()).isFalse();
		assertThat(seat.decided()).isCompletedWithValue(seat);
		assertThat(guard.status(Level.NORMAL).inFlight()).isOne();
	}

	@Test
	void aSeatThatIsFreeCostsLittle() {
		LoadGuard guard = new LoadGuard(LoadSettings.DEFAULT, 0);
		pass(guard, 20_000);
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		long before = threads.getCurrentThreadAllocatedBytes();
		pass(guard, 100_000);
		assertThat((threads.getCurrentThreadAllocatedBytes() - before) / 100_000.0).isLessThan(200);
	}

	private void pass(LoadGuard guard, int times) {
		for (int i = 0; i < times; i++) {
			this.now += MILLI;
			assertFree(guard.sheds(Level.NORMAL, "a", this.now));
			Seat seat = guard.seat(new Seat(Level.NORMAL, "a", this.now));
			assertFree(seat.isWaiting() || seat.isShed());
			guard.leave(seat, 0, this.now + MILLI / 2);
		}
	}

	private static void assertFree(boolean lacks) {
		if (lacks) {
			throw new AssertionError("no seat");
		}
	}

	@Test
	void theReserveIsForCriticalRequests() {
		LoadGuard guard = guard(10, 10);
		for (int i = 0; i < 9; i++) {
			assertThat(seat(guard, Level.HIGH, "a").isWaiting()).isFalse();
		}
		assertThat(seat(guard, Level.HIGH, "a").isWaiting()).isTrue();
		assertThat(seat(guard, Level.CRITICAL, "a").isWaiting()).isFalse();
	}

	@Test
	void aSeatGoesToTheHighestLevelBelowItsShare() {
		LoadGuard guard = guard(10, 10);
		List<Seat> taken = take(guard, Level.HIGH, 9);
		Seat high = seat(guard, Level.HIGH, "a");
		Seat low = seat(guard, Level.LOW, "b");
		Seat normal = seat(guard, Level.NORMAL, "c");
		this.now += 1000 * MILLI;
		leave(guard, taken.get(0));
		assertThat(normal.isWaiting()).isFalse();
		leave(guard, taken.get(1));
		assertThat(low.isWaiting()).isFalse();
		leave(guard, taken.get(2));
		assertThat(high.isWaiting()).isFalse();
	}

	@Test
	void aLevelMayUseWhatItHasNotUsedLately() {
		LoadGuard guard = guard(20, 10);
		List<Seat> taken = take(guard, Level.HIGH, 16);
		Seat first = seat(guard, Level.LOW, "a");
		this.now += 1000 * MILLI;
		Seat high = seat(guard, Level.HIGH, "a");
		leave(guard, taken.get(0));
		leave(guard, first);
		seat(guard, Level.HIGH, "b");
		Seat low = seat(guard, Level.LOW, "a");
		Seat other = seat(guard, Level.LOW, "a");
		for (int i = 1; i < 3; i++) {
			leave(guard, taken.get(i));
		}
		assertThat(low.isWaiting()).isFalse();
		assertThat(other.isWaiting()).isFalse();
		assertThat(high.isWaiting()).isFalse();
	}

	@Test
	void levelWithLargestUnusedShareIsServedFirst() {
		assertLargestUnusedShareIsFirst(guard(20, 10));
	}

	@Test
	void theOriginOfTheClockDoesNotMatter() {
		this.now = -3_600_000 * MILLI;
		assertLargestUnusedShareIsFirst(new LoadGuard(settings(20, 10), this.now));
	}

	// On a busy machine, a thread may be interrupted between reading the time and freeing
	// its seat.
	@Test
	void aLateThreadDoesNotChangeTheOrderOfLevels() {
		LoadGuard guard = guard(20, 10);
		this.now += 1000 * MILLI;
		Seat seat = seat(guard, Level.HIGH, "late");
		guard.leave(seat, 0, this.now - 999 * MILLI);
		assertLargestUnusedShareIsFirst(guard);
	}

	private void assertLargestUnusedShareIsFirst(LoadGuard guard) {
		take(guard, Level.HIGH, 5);
		List<Seat> taken = take(guard, Level.NORMAL, 12);
		this.now += 1000 * MILLI;
		leave(guard, taken.get(11));
		Seat low = seat(guard, Level.LOW, "a");
		take(guard, Level.HIGH, 1);
		Seat high = seat(guard, Level.HIGH, "a");
		Seat next = seat(guard, Level.LOW, "a");
		leave(guard, taken.get(0));
		assertThat(low.isWaiting()).isFalse();
		assertThat(next.isWaiting()).isFalse();
		assertThat(high.isWaiting()).isTrue();
	}

	// For example, many requests arrive while a garbage collection pauses the instance.
	@Test
	void aQueueThatHasJustBegunMayBeLonger() {
		LoadGuard guard = new LoadGuard(settings(20, 20, Duration.ofSeconds(1)), 0);
		take(guard, Level.NORMAL, 18);
		for (int i = 0; i < 5; i++) {
			assertThat(seat(guard, Level.NORMAL, "a").isWaiting()).isTrue();
		}
		assertThat(guard.wouldShed(Level.NORMAL, "a", this.now)).isFalse();
		this.now += 300 * MILLI;
		assertThat(guard.wouldShed(Level.NORMAL, "a", this.now)).isTrue();
	}

	@Test
	void withinALevelTheFlowWithTheFewestSeatsComesFirst() {
		LoadGuard guard = guard(4, 10);
		List<Seat> taken = take(guard, Level.NORMAL, 4);
		Seat first = seat(guard, Level.NORMAL, "flow0");
		Seat other = seat(guard, Level.NORMAL, "quiet");
		leave(guard, taken.get(1));
		assertThat(other.isWaiting()).isFalse();
		assertThat(first.isWaiting()).isTrue();
		leave(guard, taken.get(0));
		assertThat(first.isWaiting()).isFalse();
	}

	@Test
	void requestThatWaitsTooLongIsShed() {
		LoadGuard guard = guard(1, 10);
		seat(guard, Level.NORMAL, "a");
		Seat waiting = seat(guard, Level.NORMAL, "b");
		guard.expire(waiting);
		assertThat(waiting.isShed()).isTrue();
		assertThat(waiting.decided()).isCompletedWithValue(waiting);
		assertThat(guard.status(Level.NORMAL).queued()).isZero();
		assertThat(guard.status(Level.NORMAL).shedLate()).isOne();
	}

	@Test
	void aSeatIsFreedOnce() {
		LoadGuard guard = guard(1, 10);
		Seat seat = seat(guard, Level.NORMAL, "a");
		leave(guard, seat);
		leave(guard, seat);
		assertThat(guard.status(Level.NORMAL).inFlight()).isZero();
		assertThat(seat(guard, Level.NORMAL, "a").isWaiting()).isFalse();
		assertThat(seat(guard, Level.NORMAL, "a").isWaiting()).isTrue();
	}

	@Test
	void abandonedRequestLeavesTheQueue() {
		LoadGuard guard = guard(1, 10);
		Seat taken = seat(guard, Level.NORMAL, "a");
		Seat gone = seat(guard, Level.NORMAL, "b");
		Seat next = seat(guard, Level.NORMAL, "c");
		leave(guard, gone);
		leave(guard, taken);
		assertThat(gone.isShed()).isFalse();
		assertThat(next.isWaiting()).isFalse();
		assertThat(guard.status(Level.NORMAL).inFlight()).isOne();
	}

	@Test
	void aFullQueueMakesRoomForHigherLevels() {
		LoadGuard guard = guard(1, 1);
		seat(guard, Level.NORMAL, "a");
		Seat low = seat(guard, Level.LOW, "b");
		assertThat(guard.wouldShed(Level.LOW, "c", this.now)).isTrue();
		assertThat(guard.wouldShed(Level.HIGH, "c", this.now)).isFalse();
		assertThat(guard.status(Level.LOW).shed()).isZero();
		assertThat(guard.sheds(Level.LOW, "c", this.now)).isTrue();
		assertThat(guard.status(Level.LOW).shed()).isOne();
		assertThat(guard.sheds(Level.HIGH, "c", this.now)).isFalse();
		Seat high = seat(guard, Level.HIGH, "c");
		assertThat(low.isShed()).isTrue();
		assertThat(high.isWaiting()).isTrue();
		assertThat(guard.sheds(Level.HIGH, "d", this.now)).isTrue();
	}

	@Test
	void seatsThatARequestBringsGoToThoseThatWait() {
		SeatLimit limit = mock();
		LoadGuard guard = guardWithTakenSeat(limit);
		Seat high = seat(guard, Level.HIGH, "b");
		assertThat(high.isWaiting()).isTrue();
		twoSeatsOnceARequestLacksOne(limit);
		Seat normal = seat(guard, Level.NORMAL, "c");
		assertThat(high.isWaiting()).isFalse();
		assertThat(high.isShed()).isFalse();
		assertThat(normal.isWaiting()).isTrue();
	}

	@Test
	void seatsThatAShedRequestBringsGoToThoseThatWait() {
		SeatLimit limit = mock();
		LoadGuard guard = guardWithTakenSeat(limit);
		Seat high = seat(guard, Level.HIGH, "b");
		twoSeatsOnceARequestLacksOne(limit);
		assertThat(guard.sheds(Level.LOW, "c", this.now)).isTrue();
		assertThat(high.isWaiting()).isFalse();
		assertThat(high.isShed()).isFalse();
	}

	private LoadGuard guardWithTakenSeat(SeatLimit limit) {
		given(limit.seats()).willReturn(1);
		LoadGuard guard = new LoadGuard(settings(1, 1), limit, 0);
		seat(guard, Level.NORMAL, "a");
		return guard;
	}

	// Simulate the end of a probe that had halved the seats.
	private static void twoSeatsOnceARequestLacksOne(SeatLimit limit) {
		willAnswer((lacked) -> given(limit.seats()).willReturn(2)).given(limit).lacked(anyLong());
	}

	@Test
	void aFullQueueMakesRoomForAQuietFlow() {
		LoadGuard guard = guard(2, 3);
		Seat one = seat(guard, Level.NORMAL, "noisy");
		Seat two = seat(guard, Level.NORMAL, "noisy");
		Seat older = seat(guard, Level.NORMAL, "noisy");
		Seat newer = seat(guard, Level.NORMAL, "noisy");
		Seat newest = seat(guard, Level.NORMAL, "noisy");
		assertThat(newest.isWaiting()).isTrue();
		Seat quiet = seat(guard, Level.NORMAL, "quiet");
		assertThat(newest.isShed()).isTrue();
		leave(guard, one);
		assertThat(quiet.isWaiting()).isFalse();
		leave(guard, two);
		assertThat(older.isWaiting()).isFalse();
		assertThat(newer.isWaiting()).isTrue();
	}

	@Test
	void shadowModeShedsNoRequest() {
		LoadGuard guard = new LoadGuard(new LoadSettings(true, OptionalInt.of(1), LimitRange.DEFAULT, 0,
				Optional.empty(), LoadSettings.SHARES, 0, Optional.empty()), 0);
		for (int i = 0; i < 3; i++) {
			assertThat(guard.sheds(Level.LOW, "a", this.now)).isFalse();
			assertThat(seat(guard, Level.LOW, "a").isShed()).isFalse();
		}
		assertThat(guard.status(Level.LOW)).isEqualTo(new LevelStatus(3, 0, 3, 0, 0, 2));
	}

	@Test
	void settingsAreChecked() {
		assertThatIllegalArgumentException().isThrownBy(() -> new LimitRange(10, 5, 1000))
			.withMessageContaining("'initial'");
		assertThatIllegalArgumentException().isThrownBy(() -> settings(0, 1)).withMessageContaining("'limit'");
		assertThatIllegalArgumentException().isThrownBy(() -> settings(1, -1)).withMessageContaining("'queue.length'");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new LoadSettings(false, OptionalInt.empty(), LimitRange.DEFAULT, 1, Optional.empty(),
					Map.of(Level.CRITICAL, 90, Level.HIGH, 5, Level.NORMAL, 5, Level.LOW, 5), 0, Optional.empty()))
			.withMessageContaining("105%");
	}

	// For any order of arrivals, ends, expiries, and departures, counts must add up,
	// seats must not be exceeded, and no seat may be free while an eligible request
	// waits.
	@Property(tries = 300)
	void countsAddUp(@ForAll @IntRange(min = 1, max = 12) int seats, @ForAll @IntRange(min = 0, max = 8) int length,
			@ForAll long seed) {
		Random random = new Random(seed);
		LoadGuard guard = guard(seats, length);
		List<Seat> seen = new ArrayList<>();
		for (int step = 0; step < 300; step++) {
			this.now += random.nextInt(3) * MILLI;
			Level level = Level.values()[random.nextInt(4)];
			String flow = "flow" + random.nextInt(4);
			if (random.nextInt(5) < 2) {
				if (!guard.sheds(level, flow, this.now)) {
					seen.add(seat(guard, level, flow));
				}
			}
			else if (!seen.isEmpty()) {
				Seat any = seen.get(random.nextInt(seen.size()));
				if (random.nextInt(4) == 0) {
					guard.expire(any);
				}
				else {
					guard.leave(any, random.nextInt(3) - 1, this.now);
				}
			}
			assertConsistent(guard, seats, length, seen);
		}
		seen.forEach((seat) -> leave(guard, seat));
		assertConsistent(guard, seats, length, seen);
		assertThat(Level.values()).allMatch((level) -> guard.status(level).inFlight() == 0);
	}

	private static void assertConsistent(LoadGuard guard, int seats, int length, List<Seat> seen) {
		int inFlight = 0;
		int queued = 0;
		for (Level level : Level.values()) {
			inFlight += guard.status(level).inFlight();
			queued += guard.status(level).queued();
		}
		assertThat(inFlight).isEqualTo((int) seen.stream().filter(Seat::isTaken).count()).isLessThanOrEqualTo(seats);
		assertThat(queued).isEqualTo((int) seen.stream().filter(Seat::isWaiting).count());
		assertThat(queued).isLessThanOrEqualTo(length);
		if (guard.status(Level.CRITICAL).queued() > 0) {
			assertThat(inFlight).isEqualTo(seats);
		}
		assertThat(seen).filteredOn((seat) -> !seat.isWaiting()).allMatch((seat) -> seat.decided().isDone());
	}

	private List<Seat> take(LoadGuard guard, Level level, int count) {
		List<Seat> taken = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			taken.add(seat(guard, level, "flow" + i));
		}
		assertThat(taken).noneMatch(Seat::isWaiting);
		return taken;
	}

	private Seat seat(LoadGuard guard, Level level, String flow) {
		this.now++;
		return guard.seat(new Seat(level, flow, this.now));
	}

	private void leave(LoadGuard guard, Seat seat) {
		guard.leave(seat, 0, this.now);
	}

	private static LoadGuard guard(int seats, int queue) {
		return new LoadGuard(settings(seats, queue), 0);
	}

	private static LoadSettings settings(int seats, int queue) {
		return settings(seats, queue, Duration.ofSeconds(10));
	}

	private static LoadSettings settings(int seats, int queue, Duration maxWait) {
		return new LoadSettings(false, OptionalInt.of(seats), LimitRange.DEFAULT, queue, Optional.of(maxWait),
				LoadSettings.SHARES, 10, Optional.empty());
	}

}
