package dev.ratelimit.store.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Demand;
import dev.ratelimit.store.ReplayMarker;

/**
 * Makes script calls of demands, with keys and arguments in the order that the frames
 * describe. Thread-safe.
 */
final class DemandEncoder {

	private static final byte[] NO_MARKER = {};

	private static final byte[] ONE = EncodedFamily.encode(1);

	private static final byte[][] KINDS = { EncodedFamily.encode("-"), EncodedFamily.encode("s"),
			EncodedFamily.encode("r"), EncodedFamily.encode("sr") };

	private final RedisKeys keys;

	private final LuaScript.Clock clock;

	private final Map<BucketFamily, EncodedFamily> families = new ConcurrentHashMap<>();

	private final Map<Set<String>, LuaScript> scripts = new ConcurrentHashMap<>();

	DemandEncoder(RedisKeys keys, LuaScript.Clock clock) {
		this.keys = keys;
		this.clock = clock;
	}

	ScriptCall encode(Demand demand, OptionalLong now) {
		Charge first = demand.charges().get(0);
		boolean plain = demand.charges().size() == 1 && demand.marker().isEmpty() && !first.shadow()
				&& first.cost() > 0;
		return (plain) ? oneBucket(first, now) : manyBuckets(demand, now);
	}

	byte[] key(Bucket bucket) {
		return this.keys.key(bucket, encoded(bucket.family()).keyTail());
	}

	private ScriptCall oneBucket(Charge charge, OptionalLong now) {
		EncodedFamily family = encoded(charge.bucket().family());
		byte[][] numbers = family.arguments();
		byte[][] arguments = new byte[1 + numbers.length + ((now.isPresent()) ? 1 : 0)][];
		arguments[0] = cost(charge);
		System.arraycopy(numbers, 0, arguments, 1, numbers.length);
		if (now.isPresent()) {
			arguments[1 + numbers.length] = EncodedFamily.encode(now.getAsLong());
		}
		byte[][] key = { this.keys.key(charge.bucket(), family.keyTail()) };
		return new ScriptCall(family.script(), key, arguments);
	}

	private ScriptCall manyBuckets(Demand demand, OptionalLong now) {
		List<byte[]> names = new ArrayList<>(demand.charges().size() + 1);
		List<byte[]> arguments = new ArrayList<>(6 * demand.charges().size() + 4);
		demand.marker().ifPresentOrElse((marker) -> addMarker(marker, arguments), () -> arguments.add(NO_MARKER));
		for (Charge charge : demand.charges()) {
			EncodedFamily family = encoded(charge.bucket().family());
			names.add(this.keys.key(charge.bucket(), family.keyTail()));
			arguments.add(KINDS[((charge.shadow()) ? 1 : 0) + ((charge.replayable()) ? 2 : 0)]);
			arguments.add(family.algorithm());
			arguments.add(cost(charge));
			arguments.addAll(List.of(family.arguments()));
		}
		demand.marker().ifPresent((marker) -> names.add(this.keys.markers(marker)));
		now.ifPresent((millis) -> arguments.add(EncodedFamily.encode(millis)));
		return new ScriptCall(script(demand.charges()), names.toArray(byte[][]::new), arguments.toArray(byte[][]::new));
	}

	private static void addMarker(ReplayMarker marker, List<byte[]> arguments) {
		arguments.add(EncodedFamily.encode(marker.id()));
		arguments.add(EncodedFamily.encode(marker.ttlMillis()));
		arguments.add(EncodedFamily.encode(marker.maxReplays()));
		arguments.add(EncodedFamily.encode(marker.maxMarkers()));
	}

	private static byte[] cost(Charge charge) {
		return (charge.cost() == 1) ? ONE : EncodedFamily.encode(charge.cost());
	}

	private EncodedFamily encoded(BucketFamily family) {
		EncodedFamily known = this.families.get(family);
		return (known != null) ? known
				: this.families.computeIfAbsent(family, (key) -> EncodedFamily.of(key, this.clock));
	}

	private LuaScript script(List<Charge> charges) {
		BucketFamily first = charges.get(0).bucket().family();
		for (int i = 1; i < charges.size(); i++) {
			if (!charges.get(i).bucket().family().algorithm().equals(first.algorithm())) {
				return mixedScript(charges);
			}
		}
		return encoded(first).joint();
	}

	private LuaScript mixedScript(List<Charge> charges) {
		Set<String> algorithms = new TreeSet<>();
		charges.forEach((charge) -> algorithms.add(charge.bucket().family().algorithm()));
		return this.scripts.computeIfAbsent(algorithms, (key) -> LuaScript.manyBuckets(this.clock, key));
	}

}
