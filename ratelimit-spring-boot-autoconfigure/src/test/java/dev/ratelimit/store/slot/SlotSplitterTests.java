package dev.ratelimit.store.slot;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.ReplayMarker;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests which charges are combined in one call.
 */
class SlotSplitterTests {

	private final Charge search = Demands.replayable(Demands.perMinute("search", 10), "ann", 1);

	private final Charge orders = Demands.charge(Demands.perMinute("orders", 10), "ann", 1);

	private final Charge global = Demands.charge(Demands.perMinute("global", 10), "global", 1);

	private final LetterSlots slots = new LetterSlots();

	private final SlottedLimitStore.SlotSplitter splitter = new SlottedLimitStore.SlotSplitter(this.slots);

	private List<SlotPart> split(Charge... charges) {
		return this.splitter.split(Demands.of(charges));
	}

	@Test
	void chargesOfOneSlotAreOnePart() {
		assertThat(split(this.search, this.orders)).singleElement()
			.satisfies((part) -> assertThat(part.request().charges()).containsExactly(this.search, this.orders));
	}

	@Test
	void partsKeepThePositionsOfTheirCharges() {
		List<SlotPart> parts = split(this.search, this.global, this.orders);
		assertThat(parts).hasSize(2);
		assertThat(parts.get(0).request().charges()).containsExactly(this.search, this.orders);
		assertThat(parts.get(0).positions()).containsExactly(0, 2);
		assertThat(parts.get(1).request().charges()).containsExactly(this.global);
		assertThat(parts.get(1).positions()).containsExactly(1);
	}

	@Test
	void subjectsOfOneSlotAreOnePart() {
		Charge other = Demands.charge(Demands.perMinute("orders", 10), "amy", 1);
		assertThat(split(this.search, other)).hasSize(1);
	}

	@Test
	void aSlotIsWorkedOutOnceForBucketsThatLieTogether() {
		Charge again = Demands.charge(Demands.perMinute("again", 10), "ann", 1);
		split(this.search, this.orders, again, this.global);
		assertThat(this.slots.workedOut).containsExactly("ann", "global");
	}

	@Test
	void thingsAreSplitByTheirBuckets() {
		Bucket ann = this.search.bucket();
		Bucket all = this.global.bucket();
		assertThat(this.splitter.bySlot(List.of(all, ann, this.orders.bucket()), (bucket) -> bucket))
			.containsExactly(List.of(all), List.of(ann, this.orders.bucket()));
	}

	@Test
	void aMarkerGoesWithEachPartThatAReplayWaivesSomethingOf() {
		Charge team = Demands.replayable(Demands.perMinute("search", 10), "team", 1);
		ReplayMarker marker = new ReplayMarker("ann", "id", 1000, 3, 10);
		AcquireRequest demand = Demands.of(marker, this.search, team, this.global);
		List<SlotPart> parts = this.splitter.split(demand);
		assertThat(parts).extracting((part) -> part.request().marker())
			.containsExactly(Optional.of(marker), Optional.of(new ReplayMarker("team", "id", 1000, 3, 10)),
					Optional.empty());
		assertThat(parts).extracting((part) -> part.request().deadlineNanos()).containsOnly(demand.deadlineNanos());
	}

}
