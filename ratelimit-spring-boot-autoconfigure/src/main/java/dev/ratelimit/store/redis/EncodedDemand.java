package dev.ratelimit.store.redis;

import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;

import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Demand;
import dev.ratelimit.store.ReplayMarker;

/**
 * A demand as the script wants it: keys and arguments in the order that {@code frame.lua}
 * describes.
 */
final class EncodedDemand {

	private static final byte[] EMPTY = {};

	private static final byte[][] KINDS = { EncodedFamily.encode("-"), EncodedFamily.encode("s"),
			EncodedFamily.encode("r"), EncodedFamily.encode("sr") };

	private static final byte[][] SMALL_COSTS = { EncodedFamily.encode(0), EncodedFamily.encode(1) };

	private static final int HEAD = 2;

	private static final int MARKER = 3;

	private static final int CHARGE = 3;

	private final byte[][] keys;

	private final byte[][] arguments;

	EncodedDemand(Demand demand, RedisKeys names, Function<BucketFamily, EncodedFamily> encoder, OptionalLong now) {
		List<Charge> charges = demand.charges();
		boolean marked = demand.marker().isPresent();
		EncodedFamily[] families = new EncodedFamily[charges.size()];
		int count = HEAD + ((marked) ? MARKER : 0);
		for (int i = 0; i < families.length; i++) {
			families[i] = encoder.apply(charges.get(i).bucket().family());
			count += CHARGE + families[i].arguments().length;
		}
		this.keys = new byte[families.length + ((marked) ? 1 : 0)][];
		this.arguments = new byte[count][];
		this.arguments[0] = (now.isPresent()) ? EncodedFamily.encode(now.getAsLong()) : EMPTY;
		this.arguments[1] = EMPTY;
		int at = (marked) ? mark(demand.marker().get(), names) : HEAD;
		for (int i = 0; i < families.length; i++) {
			this.keys[i] = names.key(charges.get(i).bucket(), families[i].keyTail());
			at = charge(charges.get(i), families[i], at);
		}
	}

	byte[][] keys() {
		return this.keys;
	}

	byte[][] arguments() {
		return this.arguments;
	}

	private int mark(ReplayMarker marker, RedisKeys names) {
		this.keys[this.keys.length - 1] = names.markers(marker);
		this.arguments[1] = EncodedFamily.encode(marker.id());
		this.arguments[2] = EncodedFamily.encode(marker.ttlMillis());
		this.arguments[3] = EncodedFamily.encode(marker.maxReplays());
		this.arguments[4] = EncodedFamily.encode(marker.maxMarkers());
		return HEAD + MARKER;
	}

	private int charge(Charge charge, EncodedFamily family, int from) {
		int at = from;
		this.arguments[at++] = KINDS[((charge.shadow()) ? 1 : 0) + ((charge.replayable()) ? 2 : 0)];
		this.arguments[at++] = family.algorithm();
		this.arguments[at++] = (charge.cost() < SMALL_COSTS.length) ? SMALL_COSTS[(int) charge.cost()]
				: EncodedFamily.encode(charge.cost());
		for (byte[] argument : family.arguments()) {
			this.arguments[at++] = argument;
		}
		return at;
	}

}
