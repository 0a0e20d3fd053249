package dev.ratelimit.store.redis;

import dev.ratelimit.Policy;
import dev.ratelimit.algorithm.Algorithm;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Demands;
import io.lettuce.core.cluster.SlotHash;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests which buckets share a hash slot.
 */
class HashSlotsTests {

	private final BucketFamily search = Demands.perMinute("search", 10);

	private final BucketFamily searchAgain = Demands.perMinute("search", 20);

	private final BucketFamily orders = Demands.perMinute("orders", 10);

	private static RequestEncoder encoder(HashTag hashTag) {
		return new RequestEncoder(new RedisKeys("rl", hashTag), RedisClock.SERVER, 1);
	}

	private static RedisNodes.HashSlots slots(HashTag hashTag) {
		return new RedisNodes.HashSlots(new RedisKeys("rl", hashTag), encoder(hashTag));
	}

	private static boolean together(HashTag hashTag, BucketFamily one, BucketFamily other) {
		return slots(hashTag).together(new Bucket(one, "ann"), new Bucket(other, "ann"));
	}

	@Test
	void theSlotIsThatOfTheHashTag() {
		assertThat(slots(HashTag.SUBJECT).slotOf(new Bucket(this.search, "ann"))).isEqualTo(SlotHash.getSlot("ann"));
		assertThat(slots(HashTag.SUBJECT_AND_RULE).slotOf(new Bucket(this.search, "ann")))
			.isEqualTo(SlotHash.getSlot("ann:search"));
	}

	@Test
	void allLimitsOfAClientLieTogether() {
		assertThat(together(HashTag.SUBJECT, this.search, this.orders)).isTrue();
		assertThat(slots(HashTag.SUBJECT).together(new Bucket(this.search, "ann"), new Bucket(this.search, "bob")))
			.isFalse();
	}

	@Test
	void limitsOfARuleLieTogetherWhereTheHashTagHasTheRule() {
		assertThat(together(HashTag.SUBJECT_AND_RULE, this.search, this.searchAgain)).isTrue();
		assertThat(together(HashTag.SUBJECT_AND_RULE, this.search, this.orders)).isFalse();
	}

	@Test
	void anEmptySubjectIsNoHashTag() {
		RedisNodes.HashSlots slots = slots(HashTag.SUBJECT);
		Bucket one = new Bucket(this.search, "");
		Bucket other = new Bucket(this.orders, "");
		assertThat(slots.together(one, other)).isFalse();
		assertThat(slots.slotOf(one)).isNotEqualTo(slots.slotOf(other));
	}

	@ParameterizedTest
	@EnumSource
	void rulesThatShareABucketAgreeOnItsKey(HashTag hashTag) {
		Policy policy = this.search.policy();
		Policy other = this.orders.policy();
		Algorithm algorithm = Algorithms.find(Algorithms.DEFAULT).orElseThrow();
		assertThat(encoder(hashTag).key(new Bucket(new BucketFamily(policy, algorithm, "+shared"), "ann")))
			.isEqualTo(encoder(hashTag).key(new Bucket(new BucketFamily(other, algorithm, "+shared"), "ann")));
	}

}
