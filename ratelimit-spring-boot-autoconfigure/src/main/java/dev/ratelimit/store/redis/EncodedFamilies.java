package dev.ratelimit.store.redis;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.JointKey;

/**
 * The encoded families of all requested buckets, and the keys of these buckets.
 * Thread-safe.
 */
final class EncodedFamilies {

	private final RedisKeys keys;

	private final RedisClock clock;

	private final long holder;

	/** Rules change, so families that no rule uses must be released. */
	private final Cache<BucketFamily, EncodedFamily> families = Caffeine.newBuilder()
		.weakKeys()
		.executor(Runnable::run)
		.build();

	/** A few scripts: one for each order of algorithms in requests. */
	private final Map<List<StraightLayout>, LuaScript> straight = new ConcurrentHashMap<>();

	/** Joint keys are referenced by the encoded families that use them. */
	private final Cache<JointKey, EncodedJoint> joints = Caffeine.newBuilder()
		.weakValues()
		.executor(Runnable::run)
		.build();

	EncodedFamilies(RedisKeys keys, RedisClock clock, long holder) {
		this.keys = keys;
		this.clock = clock;
		this.holder = holder;
	}

	EncodedFamily of(BucketFamily family) {
		EncodedFamily cached = this.families.getIfPresent(family);
		return (cached != null) ? cached : this.families.get(family, this::encode);
	}

	EncodedFamily of(Bucket bucket) {
		return of(bucket.family());
	}

	private EncodedFamily encode(BucketFamily family) {
		return new EncodedFamily(family, this.keys, family.joint()
			.map((joint) -> this.joints.get(joint,
					(key) -> new EncodedJoint(key, this.keys.tail(family.scope(), key.label()), this::straight))),
				this::straight, this.holder);
	}

	/**
	 * Return the script for keys with the given layouts.
	 * @param layouts the keys in their order
	 * @return the script
	 */
	LuaScript straight(List<StraightLayout> layouts) {
		LuaScript existing = this.straight.get(layouts);
		return (existing != null) ? existing
				: this.straight.computeIfAbsent(layouts, (keys) -> LuaScript.fewBuckets(this.clock, keys));
	}

	/**
	 * Return the key that contains the state of a bucket.
	 * @param bucket the bucket
	 * @return the key
	 */
	byte[] key(Bucket bucket) {
		return this.keys.key(bucket, of(bucket).keyTail());
	}

	/**
	 * Return the id under which this instance holds slots.
	 * @return the id
	 */
	long holder() {
		return this.holder;
	}

	/**
	 * Return the key of the instances that hold units of a bucket.
	 * @param bucket the bucket
	 * @return the key
	 */
	byte[] holders(Bucket bucket) {
		return this.keys.holders(this.keys.key(bucket, of(bucket).ownTail()));
	}

	/**
	 * Return the key of an owner's markers.
	 * @param owner the subject that the markers belong to
	 * @param family the limit that selects the slot of the key
	 * @return the key
	 */
	byte[] markers(String owner, BucketFamily family) {
		return this.keys.markers(owner, family);
	}

	/**
	 * Return the functions for the kinds of keys that contain some buckets.
	 * @param buckets the buckets
	 * @return the functions
	 */
	LuaFunctions functions(Iterable<Bucket> buckets) {
		for (Bucket bucket : buckets) {
			if (bucket.family().joint().isPresent()) {
				return LuaFunctions.ANY;
			}
		}
		return LuaFunctions.OWN_KEYS;
	}

}
