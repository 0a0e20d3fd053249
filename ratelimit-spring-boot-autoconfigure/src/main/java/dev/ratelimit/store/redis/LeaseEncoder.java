package dev.ratelimit.store.redis;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.LeaseRequest;
import dev.ratelimit.store.LeaseReturn;

/**
 * Makes script calls of requests that lease, and of what is given back. Thread-safe.
 */
final class LeaseEncoder {

	/** All borrowers together hold at most so small a part of a bucket. */
	private static final int POOL = 20;

	private final RedisClock clock;

	private final EncodedFamilies families;

	private final ScriptCache lending;

	private final ScriptCache givingBack;

	LeaseEncoder(EncodedFamilies families, RedisClock clock) {
		this.clock = clock;
		this.families = families;
		this.lending = new ScriptCache((algorithms, functions) -> LuaScript.lending(clock, algorithms, functions));
		this.givingBack = new ScriptCache(
				(algorithms, functions) -> LuaScript.givingBack(clock, algorithms.iterator().next(), functions));
	}

	/**
	 * The call that decides a request of which some charges lease.
	 * @param request the request, without a replay marker
	 * @param nowMillis the time of this instance
	 * @param time the last argument
	 * @return the call
	 */
	ScriptCall encode(AcquireRequest request, long nowMillis, byte[] time) {
		List<byte[]> names = new ArrayList<>();
		List<byte[]> borrowers = new ArrayList<>();
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
			arguments.add(EncodedFamily.encode(charge.borrow().units()));
			if (charge.borrow().units() > 0) {
				borrowers.add(this.families.borrowers(charge.bucket()));
				addBorrow(charge, arguments);
			}
			family.addTo(arguments, functions, nowMillis);
		}
		names.addAll(borrowers);
		arguments.add(time);
		return ScriptCall.of(this.lending.get(buckets, functions), names, arguments);
	}

	private static void addBorrow(Charge charge, List<byte[]> arguments) {
		LeaseRequest borrow = charge.borrow();
		long capacity = charge.bucket().family().arithmetic().capacity();
		arguments.add(EncodedFamily.encode(borrow.borrower()));
		arguments.add(EncodedFamily.encode(borrow.held()));
		arguments.add(EncodedFamily.encode(borrow.millis()));
		arguments.add(EncodedFamily.encode(capacity));
		arguments.add(EncodedFamily.encode(capacity / POOL));
	}

	/**
	 * The call that takes back what is left of a lease.
	 * @param loan what is left
	 * @param nowMillis the time of this instance
	 * @return the call
	 */
	ScriptCall encode(LeaseReturn loan, long nowMillis) {
		List<Bucket> bucket = List.of(loan.bucket());
		LuaFunctions functions = this.families.functions(bucket);
		List<byte[]> arguments = new ArrayList<>();
		arguments.add(EncodedFamily.encode(loan.borrower()));
		arguments.add(EncodedFamily.encode(loan.takenAtMillis()));
		arguments.add(EncodedFamily.encode(loan.units()));
		arguments.add(EncodedFamily.encode(loan.millis()));
		this.families.of(loan.bucket()).addTo(arguments, functions, nowMillis);
		if (this.clock == RedisClock.CLIENT) {
			arguments.add(EncodedFamily.encode(nowMillis));
		}
		return ScriptCall.of(this.givingBack.get(bucket, functions),
				List.of(this.families.key(loan.bucket()), this.families.borrowers(loan.bucket())), arguments);
	}

}
