package dev.ratelimit.store.redis;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.JointKey;

/**
 * Buckets that are to be reset.
 *
 * @param whole one bucket of each key that can be deleted
 * @param parts those that lie with others, which stay
 */
record Resets(List<Bucket> whole, List<Bucket> parts) {

	static Resets of(List<Bucket> buckets) {
		Set<Bucket> all = new LinkedHashSet<>(buckets);
		List<Bucket> whole = new ArrayList<>();
		List<Bucket> parts = new ArrayList<>();
		for (Bucket bucket : all) {
			Optional<JointKey> joint = bucket.family().joint();
			if (joint.isEmpty()) {
				whole.add(bucket);
			}
			else if (all.stream().filter((other) -> together(other, bucket)).count() < joint.get().members().size()) {
				parts.add(bucket);
			}
			else if (joint.get().indexOf(bucket.family().label()) == 0) {
				whole.add(bucket);
			}
		}
		return new Resets(whole, parts);
	}

	private static boolean together(Bucket one, Bucket other) {
		return one.subject().equals(other.subject()) && one.family().joint().equals(other.family().joint());
	}

}
