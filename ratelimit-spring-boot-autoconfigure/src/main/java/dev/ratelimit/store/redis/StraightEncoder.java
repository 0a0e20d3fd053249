package dev.ratelimit.store.redis;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.Charge;

/**
 * Encodes the script calls of the most common requests: costs above 0 on a few buckets,
 * without replay marker, shadow, or lease, and either all limits of a joint key or none.
 * Thread-safe.
 */
final class StraightEncoder {

	/** Requests with more buckets use the generic script. */
	private static final int MAX_BUCKETS = 6;

	private static final byte[] ONE = EncodedFamily.encode(1);

	private final EncodedFamilies families;

	private final RedisKeys keys;

	StraightEncoder(EncodedFamilies families, RedisKeys keys) {
		this.families = families;
		this.keys = keys;
	}

	/**
	 * Whether there is a script for a request.
	 * @param request the request
	 * @return whether the request can be encoded
	 */
	boolean knows(AcquireRequest request) {
		List<Charge> charges = request.charges();
		if (charges.size() > MAX_BUCKETS || request.marker().isPresent()) {
			return false;
		}
		for (int i = 0; i < charges.size(); i++) {
			if (!charges.get(i).mayReject() || charges.get(i).cost() == 0) {
				return false;
			}
		}
		for (int i = 0; i < charges.size();) {
			int length = length(charges, i);
			if (length == 0) {
				return false;
			}
			i += length;
		}
		return true;
	}

	// The number of charges on one key, from an index on; 0 if these are not all limits
	// of a joint key with the same cost.
	private int length(List<Charge> charges, int from) {
		Charge first = charges.get(from);
		if (first.bucket().family().joint().isEmpty()) {
			return 1;
		}
		EncodedFamily family = this.families.of(first.bucket());
		EncodedJoint joint = family.joint().orElseThrow();
		if (from + joint.size() > charges.size()) {
			return 0;
		}
		for (int i = 0; i < joint.size(); i++) {
			Charge charge = charges.get(from + i);
			EncodedFamily member = this.families.of(charge.bucket());
			if (member.index() != i || member.joint().filter((own) -> own == joint).isEmpty()
					|| charge.cost() != first.cost() || !charge.bucket().subject().equals(first.bucket().subject())) {
				return 0;
			}
		}
		return joint.size();
	}

	/**
	 * Encode the call that decides a request for which there is a script.
	 * @param request the request
	 * @param nowMillis the time of this instance
	 * @param time the last argument
	 * @return the call
	 */
	ScriptCall encode(AcquireRequest request, long nowMillis, byte[] time) {
		List<Charge> charges = request.charges();
		EncodedFamily first = this.families.of(charges.get(0).bucket());
		byte[] key = this.keys.key(charges.get(0).bucket(), first.keyTail());
		byte[] cost = cost(charges.get(0));
		if (charges.size() == 1) {
			return new ScriptCall(first.script(), new byte[][] { key },
					new byte[][] { cost, first.arguments(nowMillis), time })
				.heavier(first.weightOf(charges.get(0).cost()));
		}
		if (first.joint().isPresent() && first.joint().get().size() == charges.size()) {
			EncodedJoint joint = first.joint().get();
			return new ScriptCall(joint.script(), new byte[][] { key },
					new byte[][] { joint.header(), cost, arguments(charges, 0, joint, nowMillis), time });
		}
		return several(charges, nowMillis, time);
	}

	private ScriptCall several(List<Charge> charges, long nowMillis, byte[] time) {
		List<byte[]> names = new ArrayList<>(charges.size());
		List<byte[]> arguments = new ArrayList<>(3 * charges.size());
		List<StraightLayout> layouts = new ArrayList<>(charges.size());
		int at = 0;
		int more = 0;
		while (at < charges.size()) {
			Charge charge = charges.get(at);
			EncodedFamily family = this.families.of(charge.bucket());
			names.add(this.keys.key(charge.bucket(), family.keyTail()));
			layouts.add(family.layout());
			family.joint().ifPresent((joint) -> arguments.add(joint.header()));
			arguments.add(cost(charge));
			arguments.add((family.joint().isEmpty()) ? family.arguments(nowMillis)
					: arguments(charges, at, family.joint().get(), nowMillis));
			more += family.weightOf(charge.cost());
			at += family.layout().algorithms().size();
		}
		arguments.add(time);
		return ScriptCall.of(this.families.straight(layouts), names, arguments).heavier(more);
	}

	private byte[] arguments(List<Charge> charges, int from, EncodedJoint joint, long nowMillis) {
		byte[][] parts = new byte[joint.size()][];
		for (int i = 0; i < parts.length; i++) {
			parts[i] = this.families.of(charges.get(from + i).bucket()).arguments(nowMillis);
		}
		return joint.arguments(parts);
	}

	static byte[] cost(Charge charge) {
		return (charge.cost() == 1) ? ONE : EncodedFamily.encode(charge.cost());
	}

}
