package dev.ratelimit.store.redis;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.Policy;
import dev.ratelimit.algorithm.Algorithm;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Demand;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.ReplayMarker;
import io.lettuce.core.cluster.SlotHash;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which keys go into one call.
 */
class SlotSplitterTests {

	private final Charge search = Demands.replayable(Demands.perMinute("search", 10), "ann", 1);

	private final Charge searchAgain = Demands.replayable(Demands.perMinute("search", 20), "ann", 1);

	private final Charge orders = Demands.charge(Demands.perMinute("orders", 10), "ann", 1);

	private final Charge global = Demands.charge(Demands.perMinute("global", 10), "global", 1);

	private static SlotSplitter splitter(HashTag hashTag) {
		RedisKeys keys = new RedisKeys("rl", hashTag);
		return new SlotSplitter(keys, new DemandEncoder(keys, RedisClock.SERVER)::key);
	}

	private List<SlotPart> split(HashTag hashTag, Charge... charges) {
		return splitter(hashTag).split(Demands.of(charges));
	}

	@Test
	void allLimitsOfACallerAreOnePart() {
		assertThat(split(HashTag.SUBJECT, this.search, this.searchAgain, this.orders)).singleElement()
			.satisfies((part) -> assertThat(part.demand().charges()).containsExactly(this.search, this.searchAgain,
					this.orders));
	}

	@Test
	void partsKeepThePositionsOfTheirCharges() {
		List<SlotPart> parts = split(HashTag.SUBJECT, this.search, this.global, this.orders);
		assertThat(parts).hasSize(2);
		assertThat(parts.get(0).demand().charges()).containsExactly(this.search, this.orders);
		assertThat(parts.get(0).positions()).containsExactly(0, 2);
		assertThat(parts.get(1).demand().charges()).containsExactly(this.global);
		assertThat(parts.get(1).positions()).containsExactly(1);
	}

	@Test
	void rulesOfACallerArePartsWhereTheHashTagHasTheRule() {
		List<SlotPart> parts = split(HashTag.SUBJECT_AND_RULE, this.search, this.searchAgain, this.orders);
		assertThat(parts).hasSize(2);
		assertThat(parts.get(0).positions()).containsExactly(0, 1);
		assertThat(parts.get(1).positions()).containsExactly(2);
	}

	@Test
	void rulesThatShareABucketAgreeOnItsKey() {
		Policy policy = this.search.bucket().family().policy();
		Algorithm algorithm = Algorithms.find(Algorithms.DEFAULT).orElseThrow();
		Policy other = this.orders.bucket().family().policy();
		for (HashTag hashTag : HashTag.values()) {
			DemandEncoder encoder = new DemandEncoder(new RedisKeys("rl", hashTag), RedisClock.SERVER);
			assertThat(encoder.key(new Bucket(new BucketFamily(policy, algorithm, "+shared"), "ann")))
				.isEqualTo(encoder.key(new Bucket(new BucketFamily(other, algorithm, "+shared"), "ann")));
		}
	}

	@Test
	void subjectsOfOneSlotAreOnePart() {
		int slot = SlotHash.getSlot("ann");
		String neighbour = "user:0";
		for (int i = 1; SlotHash.getSlot(neighbour) != slot; i++) {
			neighbour = "user:" + i;
		}
		Charge other = Demands.charge(Demands.perMinute("orders", 10), neighbour, 1);
		assertThat(split(HashTag.SUBJECT, this.search, other)).hasSize(1);
	}

	@Test
	void anEmptySubjectIsNoHashTag() {
		Charge one = Demands.charge(Demands.perMinute("search", 10), "", 1);
		Charge other = Demands.charge(Demands.perMinute("orders", 10), "", 1);
		assertThat(split(HashTag.SUBJECT, one, other)).hasSize(2);
	}

	@Test
	void aMarkerGoesWithEachPartThatAReplayWaivesSomethingOf() {
		Charge team = Demands.replayable(Demands.perMinute("search", 10), "team", 1);
		ReplayMarker marker = new ReplayMarker("ann", "id", 1000, 3, 10);
		Demand demand = Demands.of(marker, this.search, team, this.global);
		List<SlotPart> parts = splitter(HashTag.SUBJECT).split(demand);
		assertThat(parts).extracting((part) -> part.demand().marker())
			.containsExactly(Optional.of(marker), Optional.of(new ReplayMarker("team", "id", 1000, 3, 10)),
					Optional.empty());
		assertThat(parts).extracting((part) -> part.demand().deadlineNanos()).containsOnly(demand.deadlineNanos());
	}

}
