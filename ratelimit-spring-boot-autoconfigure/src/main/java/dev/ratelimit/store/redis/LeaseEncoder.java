package dev.ratelimit.store.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.LeaseRequest;
import dev.ratelimit.store.LeaseReturn;

/**
 * Makes script calls of demands that borrow, and of what is given back. Thread-safe.
 */
final class LeaseEncoder {

	/** All borrowers together hold at most so small a part of a bucket. */
	private static final int POOL = 20;

	private final RedisKeys keys;

	private final RedisClock clock;

	private final Function<BucketFamily, EncodedFamily> families;

	private final Map<Set<String>, LuaScript> lending = new ConcurrentHashMap<>();

	private final Map<String, LuaScript> givingBack = new ConcurrentHashMap<>();

	LeaseEncoder(RedisKeys keys, RedisClock clock, Function<BucketFamily, EncodedFamily> families) {
		this.keys = keys;
		this.clock = clock;
		this.families = families;
	}

	/**
	 * The call that decides a demand of which some charges borrow.
	 * @param demand the demand, without a replay marker
	 * @param nowMillis the caller's time
	 * @param time the last argument
	 * @return the call
	 */
	ScriptCall encode(AcquireRequest demand, long nowMillis, byte[] time) {
		List<byte[]> names = new ArrayList<>();
		List<byte[]> borrowers = new ArrayList<>();
		List<byte[]> arguments = new ArrayList<>();
		Set<String> algorithms = new TreeSet<>();
		arguments.add(EncodedFamily.encode(demand.charges().size()));
		for (Charge charge : demand.charges()) {
			EncodedFamily family = this.families.apply(charge.bucket().family());
			byte[] key = this.keys.key(charge.bucket(), family.keyTail());
			names.add(key);
			algorithms.add(charge.bucket().family().script());
			arguments.add(EncodedFamily.encode((charge.shadow()) ? "s" : "-"));
			arguments.add(family.algorithm());
			arguments.add(EncodedFamily.encode(charge.cost()));
			arguments.add(EncodedFamily.encode(charge.borrow().units()));
			if (charge.borrow().units() > 0) {
				borrowers.add(this.keys.borrowers(key));
				addBorrow(charge, arguments);
			}
			arguments.addAll(List.of(family.arguments(nowMillis)));
		}
		names.addAll(borrowers);
		arguments.add(time);
		return call(this.lending.computeIfAbsent(algorithms, (key) -> LuaScript.lending(this.clock, key)), names,
				arguments);
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
	 * The call that takes back what is left of a loan.
	 * @param loan what is left
	 * @param nowMillis the caller's time
	 * @return the call
	 */
	ScriptCall encode(LeaseReturn loan, long nowMillis) {
		EncodedFamily family = this.families.apply(loan.bucket().family());
		byte[] key = this.keys.key(loan.bucket(), family.keyTail());
		List<byte[]> arguments = new ArrayList<>();
		arguments.add(EncodedFamily.encode(loan.borrower()));
		arguments.add(EncodedFamily.encode(loan.takenAtMillis()));
		arguments.add(EncodedFamily.encode(loan.units()));
		arguments.add(EncodedFamily.encode(loan.millis()));
		arguments.addAll(List.of(family.arguments(nowMillis)));
		if (this.clock == RedisClock.CLIENT) {
			arguments.add(EncodedFamily.encode(nowMillis));
		}
		LuaScript script = this.givingBack.computeIfAbsent(loan.bucket().family().script(),
				(name) -> LuaScript.givingBack(this.clock, name));
		return call(script, List.of(key, this.keys.borrowers(key)), arguments);
	}

	private static ScriptCall call(LuaScript script, List<byte[]> names, List<byte[]> arguments) {
		return new ScriptCall(script, names.toArray(byte[][]::new), arguments.toArray(byte[][]::new));
	}

}
