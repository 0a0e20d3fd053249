package dev.ratelimit.telemetry;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.test.Parallel;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class EventRingTests {

	@Test
	void keepsTheOrderAndHasRoomAgainOnceTaken() {
		EventRing<Integer> ring = new EventRing<>(3);
		assertThat(ring.poll()).isNull();
		for (int i = 0; i < 10; i++) {
			assertThat(ring.offer(3 * i)).isEqualTo(1);
			assertThat(ring.offer(3 * i + 1)).isEqualTo(2);
			assertThat(ring.offer(3 * i + 2)).isEqualTo(3);
			assertThat(ring.offer(-1)).isZero();
			assertThat(ring.poll()).isEqualTo(3 * i);
			assertThat(ring.poll()).isEqualTo(3 * i + 1);
			assertThat(ring.poll()).isEqualTo(3 * i + 2);
			assertThat(ring.size()).isZero();
		}
	}

	@Test
	void losesNothingThatItTook() {
		EventRing<Integer> ring = new EventRing<>(16);
		AtomicInteger producing = new AtomicInteger(3);
		List<List<Integer>> all = Parallel.run(4, (thread) -> {
			if (thread > 0) {
				return produce(ring, thread, producing);
			}
			return consume(ring, producing);
		});
		List<Integer> offered = new ArrayList<>();
		all.subList(1, 4).forEach(offered::addAll);
		assertThat(all.get(0)).containsExactlyInAnyOrderElementsOf(offered);
	}

	private static List<Integer> produce(EventRing<Integer> ring, int thread, AtomicInteger producing) {
		List<Integer> taken = new ArrayList<>();
		for (int i = 0; i < 20_000; i++) {
			int number = i * 4 + thread;
			if (ring.offer(number) > 0) {
				taken.add(number);
			}
		}
		producing.decrementAndGet();
		return taken;
	}

	private static List<Integer> consume(EventRing<Integer> ring, AtomicInteger producing) {
		List<Integer> polled = new ArrayList<>();
		while (producing.get() > 0 || ring.size() > 0) {
			Integer next = ring.poll();
			if (next != null) {
				polled.add(next);
			}
		}
		return polled;
	}

}
