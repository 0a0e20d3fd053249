package dev.ratelimit.store.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquireResult.Retry;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.LeaseReturn;
import dev.ratelimit.store.ReplayMarker;
import dev.ratelimit.store.Settlement;

/**
 * Makes script calls of demands, with keys and arguments in the order that the frames
 * describe. Thread-safe.
 */
final class DemandEncoder {

	private static final byte[] NO_MARKER = {};

	private static final byte[] TAKE_BACK_REPLAY = EncodedFamily.encode(2);

	private static final byte[] FORGET_MARKER = EncodedFamily.encode(4);

	private static final byte[] ONE = EncodedFamily.encode(1);

	private static final byte[][] KINDS = { EncodedFamily.encode("-"), EncodedFamily.encode("s"),
			EncodedFamily.encode("r"), EncodedFamily.encode("sr") };

	/** So many buckets have a script of their own for each order of algorithms. */
	private static final int FEW = 6;

	private final RedisKeys keys;

	private final RedisClock clock;

	private final Map<BucketFamily, EncodedFamily> families = new ConcurrentHashMap<>();

	private final Map<Set<String>, LuaScript> scripts = new ConcurrentHashMap<>();

	private final Map<List<String>, LuaScript> straight = new ConcurrentHashMap<>();

	private final Map<Set<String>, LuaScript> settlements = new ConcurrentHashMap<>();

	private final Map<String, LuaScript> moves = new ConcurrentHashMap<>();

	private final LeaseEncoder loans;

	DemandEncoder(RedisKeys keys, RedisClock clock) {
		this.keys = keys;
		this.clock = clock;
		this.loans = new LeaseEncoder(keys, clock, this::encoded);
	}

	/**
	 * The call that decides a demand.
	 * @param demand the demand
	 * @param nowMillis the caller's time
	 * @param chargeDeadlineMillis the server's time after which nothing is to be charged
	 * @return the call
	 */
	ScriptCall encode(AcquireRequest demand, long nowMillis, long chargeDeadlineMillis) {
		byte[] time = EncodedFamily.encode((this.clock == RedisClock.CLIENT) ? nowMillis : chargeDeadlineMillis);
		if (demand.borrows()) {
			return this.loans.encode(demand, nowMillis, time);
		}
		if (!isPlain(demand)) {
			return manyBuckets(demand, nowMillis, time);
		}
		List<Charge> charges = demand.charges();
		return (charges.size() == 1) ? oneBucket(charges.get(0), nowMillis, time)
				: fewBuckets(charges, nowMillis, time);
	}

	private static boolean isPlain(AcquireRequest demand) {
		List<Charge> charges = demand.charges();
		boolean plain = charges.size() <= FEW && demand.marker().isEmpty();
		for (int i = 0; plain && i < charges.size(); i++) {
			plain = !charges.get(i).shadow() && charges.get(i).cost() > 0;
		}
		return plain;
	}

	/**
	 * The call that corrects charges.
	 * @param settlements the corrections
	 * @param nowMillis the caller's time
	 * @return the call
	 */
	ScriptCall encode(List<Settlement> settlements, long nowMillis) {
		List<byte[]> names = new ArrayList<>(settlements.size());
		List<byte[]> arguments = new ArrayList<>(6 * settlements.size() + 2);
		arguments.add(NO_MARKER);
		addSettlements(settlements, names, arguments, nowMillis);
		return settlement(settlements, names, arguments, nowMillis);
	}

	/**
	 * The call that gives back all that was taken, and takes back the marker that was set
	 * or the replay that was counted.
	 * @param answer what was taken
	 * @param nowMillis the caller's time
	 * @return the call
	 */
	ScriptCall undo(AcquireResult answer, long nowMillis) {
		List<Settlement> refunds = answer.refunds();
		List<byte[]> names = new ArrayList<>(refunds.size() + 1);
		List<byte[]> arguments = new ArrayList<>(6 * refunds.size() + 3);
		Optional<ReplayMarker> marker = answer.demand().marker().filter((known) -> answer.retry() != Retry.NONE);
		marker.ifPresentOrElse((known) -> {
			arguments.add(EncodedFamily.encode(known.id()));
			arguments.add((answer.replayed()) ? TAKE_BACK_REPLAY : FORGET_MARKER);
		}, () -> arguments.add(NO_MARKER));
		addSettlements(refunds, names, arguments, nowMillis);
		marker.ifPresent((known) -> names.add(markers(known, answer.demand())));
		return settlement(refunds, names, arguments, nowMillis);
	}

	/**
	 * The call that moves what was used of a bucket before its limit changed.
	 * @param bucket the bucket
	 * @param former the buckets of the limit before
	 * @param nowMillis the caller's time
	 * @return the call
	 */
	ScriptCall move(Bucket bucket, BucketFamily former, long nowMillis) {
		List<byte[]> names = List.of(key(new Bucket(former, bucket.subject())), key(bucket));
		List<byte[]> arguments = new ArrayList<>(12);
		arguments.addAll(List.of(encoded(former).arguments(nowMillis)));
		arguments.addAll(List.of(encoded(bucket.family()).arguments(nowMillis)));
		LuaScript script = this.moves.computeIfAbsent(former.script(), (key) -> LuaScript.move(this.clock, key));
		return timed(script, names, arguments, nowMillis);
	}

	/**
	 * The call that takes back what is left of a loan.
	 * @param loan what is left
	 * @param nowMillis the caller's time
	 * @return the call
	 */
	ScriptCall encode(LeaseReturn loan, long nowMillis) {
		return this.loans.encode(loan, nowMillis);
	}

	byte[] key(Bucket bucket) {
		return this.keys.key(bucket, encoded(bucket.family()).keyTail());
	}

	private ScriptCall oneBucket(Charge charge, long nowMillis, byte[] time) {
		EncodedFamily family = encoded(charge.bucket().family());
		byte[][] numbers = family.arguments(nowMillis);
		byte[][] arguments = new byte[numbers.length + 2][];
		arguments[0] = cost(charge);
		System.arraycopy(numbers, 0, arguments, 1, numbers.length);
		arguments[numbers.length + 1] = time;
		byte[][] key = { this.keys.key(charge.bucket(), family.keyTail()) };
		return new ScriptCall(family.script(), key, arguments);
	}

	private ScriptCall fewBuckets(List<Charge> charges, long nowMillis, byte[] time) {
		List<byte[]> names = new ArrayList<>(charges.size());
		List<byte[]> arguments = new ArrayList<>(6 * charges.size());
		List<String> algorithms = new ArrayList<>(charges.size());
		for (Charge charge : charges) {
			EncodedFamily family = encoded(charge.bucket().family());
			names.add(this.keys.key(charge.bucket(), family.keyTail()));
			algorithms.add(charge.bucket().family().script());
			arguments.add(cost(charge));
			arguments.addAll(List.of(family.arguments(nowMillis)));
		}
		LuaScript known = this.straight.get(algorithms);
		LuaScript script = (known != null) ? known
				: this.straight.computeIfAbsent(algorithms, (key) -> LuaScript.fewBuckets(this.clock, key));
		arguments.add(time);
		return call(script, names, arguments);
	}

	private ScriptCall manyBuckets(AcquireRequest demand, long nowMillis, byte[] time) {
		List<byte[]> names = new ArrayList<>(demand.charges().size() + 1);
		List<byte[]> arguments = new ArrayList<>(6 * demand.charges().size() + 4);
		demand.marker().ifPresentOrElse((marker) -> addMarker(marker, arguments), () -> arguments.add(NO_MARKER));
		for (Charge charge : demand.charges()) {
			EncodedFamily family = encoded(charge.bucket().family());
			names.add(this.keys.key(charge.bucket(), family.keyTail()));
			arguments.add(KINDS[((charge.shadow()) ? 1 : 0) + ((charge.replayable()) ? 2 : 0)]);
			arguments.add(family.algorithm());
			arguments.add(cost(charge));
			arguments.addAll(List.of(family.arguments(nowMillis)));
		}
		demand.marker().ifPresent((marker) -> names.add(markers(marker, demand)));
		arguments.add(time);
		return call(script(demand.charges()), names, arguments);
	}

	private void addSettlements(List<Settlement> settlements, List<byte[]> names, List<byte[]> arguments,
			long nowMillis) {
		for (Settlement settlement : settlements) {
			EncodedFamily family = encoded(settlement.bucket().family());
			names.add(key(settlement.bucket()));
			arguments.add(family.algorithm());
			arguments.add(EncodedFamily.encode(settlement.takenAtMillis()));
			arguments.add(EncodedFamily.encode(settlement.units()));
			arguments.addAll(List.of(family.arguments(nowMillis)));
		}
	}

	private ScriptCall settlement(List<Settlement> settlements, List<byte[]> names, List<byte[]> arguments,
			long nowMillis) {
		Set<String> algorithms = new TreeSet<>();
		settlements.forEach((settlement) -> algorithms.add(settlement.bucket().family().script()));
		LuaScript script = this.settlements.computeIfAbsent(algorithms, (key) -> LuaScript.settlement(this.clock, key));
		return timed(script, names, arguments, nowMillis);
	}

	private ScriptCall timed(LuaScript script, List<byte[]> names, List<byte[]> arguments, long nowMillis) {
		if (this.clock == RedisClock.CLIENT) {
			arguments.add(EncodedFamily.encode(nowMillis));
		}
		return call(script, names, arguments);
	}

	private static ScriptCall call(LuaScript script, List<byte[]> names, List<byte[]> arguments) {
		return new ScriptCall(script, names.toArray(byte[][]::new), arguments.toArray(byte[][]::new));
	}

	private static void addMarker(ReplayMarker marker, List<byte[]> arguments) {
		arguments.add(EncodedFamily.encode(marker.id()));
		arguments.add(EncodedFamily.encode(marker.ttlMillis()));
		arguments.add(EncodedFamily.encode(marker.maxReplays()));
		arguments.add(EncodedFamily.encode(marker.maxMarkers()));
	}

	// The markers lie beside the bucket that the first retry waives.
	private byte[] markers(ReplayMarker marker, AcquireRequest demand) {
		List<Charge> charges = demand.charges();
		Charge first = charges.stream().filter(Charge::replayable).findFirst().orElse(charges.get(0));
		return this.keys.markers(marker.owner(), first.bucket().family());
	}

	private static byte[] cost(Charge charge) {
		return (charge.cost() == 1) ? ONE : EncodedFamily.encode(charge.cost());
	}

	private EncodedFamily encoded(BucketFamily family) {
		EncodedFamily known = this.families.get(family);
		return (known != null) ? known : this.families.computeIfAbsent(family,
				(key) -> new EncodedFamily(key, this.keys.tail(key), this.clock));
	}

	private LuaScript script(List<Charge> charges) {
		BucketFamily first = charges.get(0).bucket().family();
		for (int i = 1; i < charges.size(); i++) {
			if (!charges.get(i).bucket().family().script().equals(first.script())) {
				return mixedScript(charges);
			}
		}
		return encoded(first).joint();
	}

	private LuaScript mixedScript(List<Charge> charges) {
		Set<String> algorithms = new TreeSet<>();
		charges.forEach((charge) -> algorithms.add(charge.bucket().family().script()));
		return this.scripts.computeIfAbsent(algorithms, (key) -> LuaScript.manyBuckets(this.clock, key));
	}

}
