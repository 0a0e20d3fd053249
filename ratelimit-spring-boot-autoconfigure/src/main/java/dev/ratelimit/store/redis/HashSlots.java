package dev.ratelimit.store.redis;

import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketSlots;
import io.lettuce.core.cluster.SlotHash;

/**
 * The slots of a cluster: buckets with the same hash tag share one.
 */
final class HashSlots implements BucketSlots {

	private final RedisKeys keys;

	private final RequestEncoder encoder;

	HashSlots(RedisKeys keys, RequestEncoder encoder) {
		this.keys = keys;
		this.encoder = encoder;
	}

	@Override
	public int slotOf(Bucket bucket) {
		return SlotHash.getSlot(this.encoder.key(bucket));
	}

	@Override
	public boolean together(Bucket one, Bucket other) {
		return this.keys.together(one, other);
	}

}
