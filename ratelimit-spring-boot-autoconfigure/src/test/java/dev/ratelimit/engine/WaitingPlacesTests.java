package dev.ratelimit.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the places for waiting requests.
 */
class WaitingPlacesTests {

	private final WaitingPlaces places = new WaitingPlaces(3);

	private final List<String> displaced = new ArrayList<>();

	@Test
	void theNewestOfTheLargestFlowLosesItsPlace() {
		take("noisy", "first");
		take("noisy", "second");
		take("noisy", "third");
		assertThat(take("noisy", "fourth")).as("no flow has more").isEmpty();
		assertThat(take("light", "one")).isPresent();
		assertThat(this.displaced).containsExactly("third");
		assertThat(take("light", "two")).as("it would have as many").isEmpty();
		assertThat(this.displaced).hasSize(1);
	}

	@Test
	void placeIsReleasedOnce() {
		Optional<Runnable> first = take("a", "first");
		take("b", "second");
		take("c", "third");
		first.orElseThrow().run();
		first.orElseThrow().run();
		assertThat(take("d", "fourth")).isPresent();
		assertThat(take("e", "fifth")).isEmpty();
		assertThat(this.displaced).isEmpty();
	}

	@Test
	void withoutPlacesNoRequestWaits() {
		assertThat(new WaitingPlaces(0).take("a", () -> {
		}, new ArrayList<>())).isEmpty();
	}

	private Optional<Runnable> take(String flow, String name) {
		List<Runnable> after = new ArrayList<>();
		Optional<Runnable> place = this.places.take(flow, () -> this.displaced.add(name), after);
		after.forEach(Runnable::run);
		return place;
	}

}
