package dev.ratelimit.store.redis;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.LeaseRequest;
import dev.ratelimit.store.LeaseReturn;

/**
 * Encodes script calls of requests that lease units, and of returned leases. Thread-safe.
 */
final class LeaseEncoder {

	/**
	 * All holders together hold at most the capacity of a bucket divided by this number.
	 */
	private static final int POOL = 20;

	private final RedisClock clock;

	private final EncodedFamilies families;

	private final ScriptCache leasing;

	private final ScriptCache givingBack;

	LeaseEncoder(EncodedFamilies families, RedisClock clock) {
		this.clock = clock;
		this.families = families;
		this.leasing = new ScriptCache((algorithms, functions) -> LuaScript.leasing(clock, algorithms, functions));
		this.givingBack = new ScriptCache(
				(algorithms, functions) -> LuaScript.givingBack(clock, algorithms.iterator().next(), functions));
	}

	/**
	 * Encode the call that decides a request with charges that lease units.
	 * @param request the request, without a replay marker
	 * @param nowMillis the time of this instance
	 * @param time the last argument
	 * @return the call
	 */
	ScriptCall encode(AcquireRequest request, long nowMillis, byte[] time) {
		List<byte[]> names = new ArrayList<>();
		List<byte[]> holders = new ArrayList<>();
		List<byte[]> arguments = new ArrayList<>();
		List<Bucket> buckets = request.charges().stream().map(Charge::bucket).toList();
		LuaFunctions functions = this.families.functions(buckets);
		arguments.add(EncodedFamily.encode(request.charges().size()));
		for (Charge charge : request.charges()) {
			EncodedFamily family = this.families.of(charge.bucket());
			names.add(this.families.key(charge.bucket()));
			arguments.add(EncodedFamily.encode((charge.mayReject()) ? "-" : "s"));
			arguments.add(family.algorithm());
			arguments.add(EncodedFamily.encode(charge.cost()));
			arguments.add(EncodedFamily.encode(charge.lease().units()));
			if (charge.lease().units() > 0) {
				holders.add(this.families.holders(charge.bucket()));
				addLease(charge, arguments);
			}
			family.addTo(arguments, functions, nowMillis);
		}
		names.addAll(holders);
		arguments.add(time);
		return ScriptCall.of(this.leasing.get(buckets, functions), names, arguments);
	}

	private static void addLease(Charge charge, List<byte[]> arguments) {
		LeaseRequest lease = charge.lease();
		long capacity = charge.bucket().family().calculator().capacity();
		arguments.add(EncodedFamily.encode(lease.holder()));
		arguments.add(EncodedFamily.encode(lease.held()));
		arguments.add(EncodedFamily.encode(lease.millis()));
		arguments.add(EncodedFamily.encode(capacity));
		arguments.add(EncodedFamily.encode(capacity / POOL));
	}

	/**
	 * Encode the call that returns the remaining units of a lease.
	 * @param unspent the remaining units
	 * @param nowMillis the time of this instance
	 * @return the call
	 */
	ScriptCall encode(LeaseReturn unspent, long nowMillis) {
		List<Bucket> bucket = List.of(unspent.bucket());
		LuaFunctions functions = this.families.functions(bucket);
		List<byte[]> arguments = new ArrayList<>();
		arguments.add(EncodedFamily.encode(unspent.holder()));
		arguments.add(EncodedFamily.encode(unspent.takenAtMillis()));
		arguments.add(EncodedFamily.encode(unspent.units()));
		arguments.add(EncodedFamily.encode(unspent.millis()));
		this.families.of(unspent.bucket()).addTo(arguments, functions, nowMillis);
		if (this.clock == RedisClock.CLIENT) {
			arguments.add(EncodedFamily.encode(nowMillis));
		}
		return ScriptCall.of(this.givingBack.get(bucket, functions),
				List.of(this.families.key(unspent.bucket()), this.families.holders(unspent.bucket())), arguments);
	}

}
