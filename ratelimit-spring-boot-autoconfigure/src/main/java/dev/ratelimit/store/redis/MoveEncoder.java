package dev.ratelimit.store.redis;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.JointKey.Member;

/**
 * Encodes the script calls that move the usage of buckets under former limits.
 * Thread-safe.
 */
final class MoveEncoder {

	private final EncodedFamilies families;

	private final RedisClock clock;

	private final ScriptCache scripts;

	MoveEncoder(EncodedFamilies families, RedisClock clock) {
		this.families = families;
		this.clock = clock;
		this.scripts = new ScriptCache(
				(algorithms, functions) -> LuaScript.move(clock, algorithms.iterator().next(), functions));
	}

	/**
	 * Encode the call that moves the usage under the first former limit that has a state
	 * of the subject.
	 * @param bucket the bucket
	 * @param formers the former limits, the latest first
	 * @param nowMillis the time of this instance
	 * @return the call
	 */
	ScriptCall encode(Bucket bucket, List<BucketFamily> formers, long nowMillis) {
		List<Bucket> buckets = new ArrayList<>(formers.size() + 1);
		formers.forEach((former) -> buckets.add(new Bucket(former, bucket.subject())));
		buckets.add(bucket);
		LuaFunctions functions = this.families.functions(buckets);
		List<byte[]> names = new ArrayList<>(buckets.size());
		List<byte[]> arguments = new ArrayList<>(3 * buckets.size() + 1);
		for (Bucket one : buckets) {
			names.add(this.families.key(one));
			addTo(arguments, one.family(), buckets, functions, nowMillis);
		}
		if (this.clock == RedisClock.CLIENT) {
			arguments.add(EncodedFamily.encode(nowMillis));
		}
		return ScriptCall.of(this.scripts.get(List.of(bucket), functions), names, arguments);
	}

	private void addTo(List<byte[]> arguments, BucketFamily family, List<Bucket> buckets, LuaFunctions functions,
			long nowMillis) {
		EncodedFamily encoded = this.families.of(family);
		if (encoded.joint().isEmpty()) {
			encoded.addTo(arguments, functions, nowMillis);
			return;
		}
		List<Member> members = members(family.scope(), buckets);
		int index = members.indexOf(member(encoded));
		encoded.addTo(arguments, functions, EncodedJoint.header(members),
				EncodedFamily.encode(EncodedJoint.firstNumber(members, index)), nowMillis);
	}

	// A script opens a joint key once, so that all buckets in the key have the same
	// header. The records of former limits follow those of the current limits.
	private List<Member> members(String scope, List<Bucket> buckets) {
		List<Member> members = new ArrayList<>();
		for (int i = buckets.size() - 1; i >= 0; i--) {
			BucketFamily family = buckets.get(i).family();
			EncodedFamily encoded = this.families.of(family);
			if (encoded.joint().isPresent() && family.scope().equals(scope)) {
				List<Member> own = (i == buckets.size() - 1) ? encoded.joint().get().members()
						: List.of(member(encoded));
				own.stream().filter((member) -> !members.contains(member)).forEach(members::add);
			}
		}
		return members;
	}

	private static Member member(EncodedFamily family) {
		return family.joint().orElseThrow().members().get(family.index());
	}

}
