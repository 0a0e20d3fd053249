package dev.ratelimit.store;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import dev.ratelimit.algorithm.LimitCalculator;

/**
 * Where a store may keep the states of several limits of a rule together, for each
 * subject: those that are always as many numbers. Made at start-up, immutable.
 * <p>
 * Experimental: may change in any release.
 *
 * @param label what tells it from other keys
 * @param members the limits, in their order
 * @since 0.1.0
 */
public record JointKey(String label, List<Member> members) {

	public JointKey {
		members = List.copyOf(members);
	}

	/**
	 * Let limits lie together, if several can. One whose tag another limit has already
	 * has its own key.
	 * @param families the limits of a rule or plan, all of one scope
	 * @return the same limits in their order
	 */
	public static List<BucketFamily> join(List<BucketFamily> families) {
		Set<Integer> tags = new HashSet<>();
		List<BucketFamily> joined = families.stream()
			.filter((family) -> family.arithmetic().stateLength() > 0)
			.filter((family) -> tags.add(Member.of(family).tag()))
			.toList();
		if (joined.size() < 2) {
			return families;
		}
		JointKey key = new JointKey(joined.get(0).scope() + ".*", joined.stream().map(Member::of).toList());
		List<BucketFamily> all = new ArrayList<>(families);
		all.replaceAll((family) -> (joined.contains(family)) ? family.in(key) : family);
		return List.copyOf(all);
	}

	/**
	 * Which of the limits has a label.
	 * @param familyLabel the label
	 * @return its index, or -1
	 */
	public int indexOf(String familyLabel) {
		for (int i = 0; i < this.members.size(); i++) {
			if (this.members.get(i).label().equals(familyLabel)) {
				return i;
			}
		}
		return -1;
	}

	/**
	 * A limit whose states lie in the key.
	 *
	 * @param label the family's label
	 * @param script the name of the algorithm's twin in Lua
	 * @param numbers how many numbers a state has
	 * @param bytes how many bytes the largest number needs, 6 or 7
	 * @param tag tells its record from those of other limits
	 */
	public record Member(String label, String script, int numbers, int bytes, int tag) {

		static Member of(BucketFamily family) {
			LimitCalculator arithmetic = family.arithmetic();
			int bytes = (arithmetic.largestNumber() >> 48 == 0) ? 6 : 7;
			// What a record looks like, and 21 bits of a digest.
			int tag = family.digest() << 3 & 0xfffff8 | (bytes - 6) << 2 | arithmetic.stateLength();
			return new Member(family.label(), family.script(), arithmetic.stateLength(), bytes, tag);
		}

	}

}
