package dev.ratelimit.benchmarks.openloop;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.benchmarks.openloop.Stage.Name;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class OpenArrivalsTests {

	private final List<Name> begun = new ArrayList<>();

	private final OpenArrivals arrivals = new OpenArrivals(
			List.of(Stage.of(Name.UNLOADED, 2, 0.5), Stage.of(Name.OVER, 2, 3, Mix.NOISY_TENANT)), 1000,
			(stage) -> this.begun.add(stage.name()));

	@Test
	void comeAtTheRateOfTheirStage() {
		List<Arrivals.Arrival> all = takeAll();
		assertThat(all.stream().filter((arrival) -> arrival.due() < 2_000_000_000L).count()).isBetween(900L, 1100L);
		assertThat(all.stream().filter((arrival) -> arrival.due() >= 2_000_000_000L).count()).isBetween(5700L, 6300L);
		assertThat(all).isSortedAccordingTo((one, other) -> Long.compare(one.due(), other.due()));
		assertThat(all.get(all.size() - 1).due()).isLessThan(4_000_000_000L);
		assertThat(this.begun).containsExactly(Name.UNLOADED, Name.OVER);
	}

	@Test
	void areOfTheLevelsAndTenantsOfTheirMix() {
		List<Arrivals.Arrival> all = takeAll();
		assertThat(all.stream().filter((arrival) -> arrival.level() == Level.HIGH).count() / (double) all.size())
			.isBetween(0.27, 0.33);
		List<Arrivals.Arrival> noisy = all.stream().filter((arrival) -> arrival.due() >= 2_000_000_000L).toList();
		assertThat(noisy.stream().filter((arrival) -> arrival.tenant() == 0).count() / (double) noisy.size())
			.isBetween(0.89, 0.94);
		assertThat(noisy).extracting(Arrivals.Arrival::tenant).contains(1, 9).doesNotContain(10);
	}

	private List<Arrivals.Arrival> takeAll() {
		List<Arrivals.Arrival> all = new ArrayList<>();
		while (!this.arrivals.isOver(0)) {
			all.add(this.arrivals.take());
		}
		return all;
	}

}
