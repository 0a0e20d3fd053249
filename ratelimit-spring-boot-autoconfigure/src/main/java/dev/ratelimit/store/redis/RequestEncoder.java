package dev.ratelimit.store.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.LeaseReturn;
import dev.ratelimit.store.ReplayMarker;
import dev.ratelimit.store.Settlement;

/**
 * Encodes script calls of requests, with keys and arguments in the order that the frames
 * require. Thread-safe.
 */
final class RequestEncoder {

	private static final byte[] NO_MARKER = {};

	private static final byte[][] KINDS = { EncodedFamily.encode("-"), EncodedFamily.encode("s"),
			EncodedFamily.encode("r"), EncodedFamily.encode("sr") };

	private final RedisClock clock;

	private final EncodedFamilies families;

	private final StraightEncoder straight;

	private final LeaseEncoder leases;

	private final CorrectionEncoder corrections;

	private final MoveEncoder moves;

	private final ScriptCache scripts;

	RequestEncoder(RedisKeys keys, RedisClock clock, long holder) {
		this.clock = clock;
		this.families = new EncodedFamilies(keys, clock, holder);
		this.straight = new StraightEncoder(this.families, keys);
		this.leases = new LeaseEncoder(this.families, clock);
		this.corrections = new CorrectionEncoder(this.families, clock);
		this.moves = new MoveEncoder(this.families, clock);
		this.scripts = new ScriptCache((algorithms, functions) -> LuaScript.manyBuckets(clock, algorithms, functions));
	}

	/**
	 * Encode the call that decides a request.
	 * @param request the request
	 * @param nowMillis the time of this instance
	 * @param chargeDeadlineMillis the server's time after which nothing may be charged
	 * @return the call
	 */
	ScriptCall encode(AcquireRequest request, long nowMillis, long chargeDeadlineMillis) {
		byte[] time = EncodedFamily.encode((this.clock == RedisClock.CLIENT) ? nowMillis : chargeDeadlineMillis);
		if (request.leases()) {
			return this.leases.encode(request, nowMillis, time);
		}
		return (this.straight.knows(request)) ? this.straight.encode(request, nowMillis, time)
				: manyBuckets(request, nowMillis, time);
	}

	/**
	 * Encode the call that corrects charges.
	 * @param settlements the corrections
	 * @param nowMillis the time of this instance
	 * @return the call
	 */
	ScriptCall encode(List<Settlement> settlements, long nowMillis) {
		return this.corrections.settle(settlements, nowMillis);
	}

	/**
	 * Encode the call that charges requests which were allowed without the server.
	 * @param late the charge, with the time when the request was allowed
	 * @param nowMillis the time of this instance
	 * @param deadlineMillis the server's time after which nothing may be charged
	 * @return the call
	 */
	ScriptCall charge(Settlement late, long nowMillis, long deadlineMillis) {
		return this.corrections.charge(late, nowMillis, deadlineMillis);
	}

	/**
	 * Encode the call that renews slots of this instance.
	 * @param held the number of slots that it holds of each bucket
	 * @param nowMillis the time of this instance
	 * @return the call
	 */
	ScriptCall renew(Map<Bucket, Long> held, long nowMillis) {
		return this.corrections.renew(held, nowMillis);
	}

	/**
	 * Encode the call that refunds all charges of a result, and removes its marker or
	 * replay.
	 * @param result the result
	 * @param nowMillis the time of this instance
	 * @return the call
	 */
	ScriptCall undo(AcquireResult result, long nowMillis) {
		return this.corrections.undo(result, nowMillis);
	}

	/**
	 * Encode the call that moves the usage of a bucket under former limits.
	 * @param bucket the bucket
	 * @param formers the former limits, the latest first
	 * @param nowMillis the time of this instance
	 * @return the call
	 */
	ScriptCall move(Bucket bucket, List<BucketFamily> formers, long nowMillis) {
		return this.moves.encode(bucket, formers, nowMillis);
	}

	/**
	 * Return the subjects whose usage need not be moved.
	 * @param family a limit that has changed
	 * @return the subjects whose usage was moved already or that have no former usage
	 */
	MovedSubjects moved(BucketFamily family) {
		return this.families.of(family).moved();
	}

	/**
	 * Encode the call that resets buckets of joint keys that keep other buckets.
	 * @param buckets the buckets
	 * @param nowMillis the time of this instance
	 * @return the call
	 */
	ScriptCall reset(List<Bucket> buckets, long nowMillis) {
		return this.corrections.reset(buckets, nowMillis);
	}

	/**
	 * Encode the call that returns the remaining units of a lease.
	 * @param unspent the remaining units
	 * @param nowMillis the time of this instance
	 * @return the call
	 */
	ScriptCall encode(LeaseReturn unspent, long nowMillis) {
		return this.leases.encode(unspent, nowMillis);
	}

	/**
	 * Return the key that contains the state of a bucket.
	 * @param bucket the bucket
	 * @return the key
	 */
	byte[] key(Bucket bucket) {
		return this.families.key(bucket);
	}

	private ScriptCall manyBuckets(AcquireRequest request, long nowMillis, byte[] time) {
		List<byte[]> names = new ArrayList<>(request.charges().size() + 1);
		List<byte[]> arguments = new ArrayList<>(6 * request.charges().size() + 4);
		request.marker().ifPresentOrElse((marker) -> addMarker(marker, arguments), () -> arguments.add(NO_MARKER));
		List<Bucket> buckets = request.charges().stream().map(Charge::bucket).toList();
		LuaFunctions functions = this.families.functions(buckets);
		int more = 0;
		for (Charge charge : request.charges()) {
			EncodedFamily family = this.families.of(charge.bucket());
			names.add(this.families.key(charge.bucket()));
			arguments.add(KINDS[((charge.mayReject()) ? 0 : 1) + ((charge.replayable()) ? 2 : 0)]);
			arguments.add(family.algorithm());
			arguments.add(StraightEncoder.cost(charge));
			family.addTo(arguments, functions, nowMillis);
			more += family.weightOf(charge.cost());
		}
		request.marker().ifPresent((marker) -> names.add(this.corrections.markers(marker, request)));
		arguments.add(time);
		return ScriptCall.of(this.scripts.get(buckets, functions), names, arguments).heavier(more);
	}

	private static void addMarker(ReplayMarker marker, List<byte[]> arguments) {
		arguments.add(EncodedFamily.encode(marker.id()));
		arguments.add(EncodedFamily.encode(marker.ttlMillis()));
		arguments.add(EncodedFamily.encode(marker.maxReplays()));
		arguments.add(EncodedFamily.encode(marker.maxMarkers()));
	}

}
