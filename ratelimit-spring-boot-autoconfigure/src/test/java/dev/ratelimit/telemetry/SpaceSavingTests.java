package dev.ratelimit.telemetry;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests the guarantees of the counters for any order of items.
 */
class SpaceSavingTests {

	@Property
	void boundsHoldForAnyStream(@ForAll("streams") List<Integer> stream,
			@ForAll @IntRange(min = 1, max = 12) int counters) {
		verify(stream, counters);
	}

	@Provide
	Arbitrary<List<Integer>> streams() {
		return Arbitraries.integers().between(0, 30).list().ofMaxSize(400);
	}

	@Property(tries = 50)
	void boundsHoldUnderZipf(@ForAll @DoubleRange(min = 0.5, max = 2) double exponent, @ForAll long seed) {
		verify(zipf(2000, exponent, 20_000, new Random(seed)), 128);
	}

	@Property(tries = 50)
	void boundsHoldInAdversarialOrders(@ForAll("orders") Order order, @ForAll long seed) {
		verify(order.of(zipf(500, 1, 5000, new Random(seed))), 32);
	}

	@Provide
	Arbitrary<Order> orders() {
		return Arbitraries.of(Order.class);
	}

	@Property(tries = 50)
	void theMostFrequentOfAZipfStreamAreFound(@ForAll long seed) {
		List<Integer> stream = zipf(2000, 1.2, 20_000, new Random(seed));
		Map<Integer, Long> counts = counts(stream);
		List<Integer> five = counts.keySet()
			.stream()
			.sorted((one, other) -> Long.compare(counts.get(other), counts.get(one)))
			.limit(5)
			.toList();
		assertThat(sketch(stream, 128).estimates().stream().map(SpaceSaving.Estimate::item).limit(10))
			.containsAll(five);
	}

	@Test
	void anItemWithoutCounterTakesTheLeastOverWhenItOccursMoreOften() {
		SpaceSaving<String> sketch = new SpaceSaving<>(2);
		List.of("a", "b", "a", "c").forEach((item) -> sketch.add(item, item.hashCode()));
		assertThat(sketch.estimates()).containsExactlyInAnyOrder(new SpaceSaving.Estimate<>("a", 2, 0),
				new SpaceSaving.Estimate<>("b", 1, 0));
		sketch.add("c", "c".hashCode());
		assertThat(sketch.estimates()).containsExactlyInAnyOrder(new SpaceSaving.Estimate<>("a", 2, 0),
				new SpaceSaving.Estimate<>("c", 2, 1));
		// The earlier count of an item is kept after it loses its counter.
		List.of("b", "b").forEach((item) -> sketch.add(item, item.hashCode()));
		assertThat(sketch.estimates()).contains(new SpaceSaving.Estimate<>("b", 3, 2));
	}

	@Test
	void itemsThatOccurSeldomDoNotReplaceThoseThatOccurOften() {
		List<Integer> stream = new ArrayList<>();
		for (int i = 0; i < 10_000; i++) {
			// Each of the first ten items has a share of 2 %, and 8,000 others occur
			// once.
			stream.add((i % 5 == 0) ? i / 5 % 10 : 100 + i);
		}
		Map<Integer, Long> atLeast = sketch(stream, 128).estimates()
			.stream()
			.collect(Collectors.toMap(SpaceSaving.Estimate::item, SpaceSaving.Estimate::atLeast));
		IntStream.range(0, 10).forEach((often) -> assertThat(atLeast.get(often)).isGreaterThan(190));
	}

	@Test
	void needsACounter() {
		assertThatIllegalArgumentException().isThrownBy(() -> new SpaceSaving<>(0));
	}

	private static void verify(List<Integer> stream, int counters) {
		Map<Integer, Long> counts = counts(stream);
		List<SpaceSaving.Estimate<Integer>> found = sketch(stream, counters).estimates();
		assertThat(found).hasSize(Math.min(counters, counts.size()));
		assertThat(found.stream().mapToLong(SpaceSaving.Estimate::count).sum()).isLessThanOrEqualTo(stream.size());
		assertThat(found).allSatisfy((one) -> {
			assertThat(counts.get(one.item())).isBetween(one.atLeast(), one.count());
			assertThat(one.atLeast()).isPositive();
			assertThat(one.error()).isLessThanOrEqualTo(stream.size() / counters);
		}).isSortedAccordingTo((one, other) -> Long.compare(other.atLeast(), one.atLeast()));
		List<Integer> items = found.stream().map(SpaceSaving.Estimate::item).toList();
		counts.forEach((item, count) -> assertThat(count <= stream.size() / counters || items.contains(item)).isTrue());
	}

	private static SpaceSaving<Integer> sketch(List<Integer> stream, int counters) {
		SpaceSaving<Integer> sketch = new SpaceSaving<>(counters);
		stream.forEach((item) -> sketch.add(item, item.hashCode()));
		return sketch;
	}

	private static Map<Integer, Long> counts(List<Integer> stream) {
		return stream.stream().collect(Collectors.groupingBy((item) -> item, HashMap::new, Collectors.counting()));
	}

	private static List<Integer> zipf(int items, double exponent, int length, Random random) {
		double[] below = new double[items];
		double sum = 0;
		for (int i = 0; i < items; i++) {
			sum += 1 / Math.pow(i + 1, exponent);
			below[i] = sum;
		}
		double all = sum;
		return IntStream.range(0, length).mapToObj((i) -> at(below, random.nextDouble() * all)).toList();
	}

	private static int at(double[] below, double point) {
		int found = Arrays.binarySearch(below, point);
		return Math.min(below.length - 1, (found < 0) ? -found - 1 : found);
	}

	/**
	 * Unfavorable orders of items.
	 */
	enum Order {

		/** Rare items come last and take the counters of the others. */
		FREQUENT_FIRST,
		/** Frequent items come last, when all counters are taken. */
		RARE_FIRST,
		/** The occurrences of each item are as far apart as possible. */
		ROUND_ROBIN,
		/** Unique items come between all others. */
		NEW_BETWEEN;

		List<Integer> of(List<Integer> stream) {
			Map<Integer, Long> counts = counts(stream);
			List<Integer> ordered = new ArrayList<>(stream);
			ordered.sort((one, other) -> (counts.get(one).equals(counts.get(other))) ? Integer.compare(one, other)
					: Long.compare(counts.get(other), counts.get(one)));
			return switch (this) {
				case FREQUENT_FIRST -> ordered;
				case RARE_FIRST -> reversed(ordered);
				case ROUND_ROBIN -> roundRobin(counts);
				case NEW_BETWEEN -> newBetween(ordered);
			};
		}

		private static List<Integer> reversed(List<Integer> ordered) {
			Collections.reverse(ordered);
			return ordered;
		}

		private static List<Integer> roundRobin(Map<Integer, Long> counts) {
			List<Integer> all = new ArrayList<>();
			Map<Integer, Long> left = new HashMap<>(counts);
			while (!left.isEmpty()) {
				all.addAll(left.keySet());
				left.replaceAll((item, count) -> count - 1);
				left.values().removeIf((count) -> count == 0);
			}
			return all;
		}

		private static List<Integer> newBetween(List<Integer> ordered) {
			List<Integer> all = new ArrayList<>();
			for (int i = 0; i < ordered.size(); i++) {
				all.add(ordered.get(i));
				all.add(-1 - i);
			}
			return all;
		}

	}

}
