package dev.ratelimit.store;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import dev.ratelimit.algorithm.LimitCalculator;
import dev.ratelimit.store.JointKey.Member;

/**
 * Internal: the limits of a rule whose state is in one key. Computed at startup.
 */
public final class JointFamilies {

	private JointFamilies() {
	}

	/**
	 * Let limits share one key, if at least two of them can. A limit with the tag of an
	 * earlier limit keeps its own key.
	 * @param families the limits of a rule or plan, all of one scope
	 * @return the same limits in their order
	 */
	public static List<BucketFamily> join(List<BucketFamily> families) {
		Set<Integer> tags = new HashSet<>();
		List<BucketFamily> joined = families.stream()
			.filter((family) -> family.calculator().stateLength() > 0)
			.filter((family) -> tags.add(member(family).tag()))
			.toList();
		if (joined.size() < 2) {
			return families;
		}
		JointKey key = new JointKey(joined.get(0).scope() + ".*", joined.stream().map(JointFamilies::member).toList());
		List<BucketFamily> all = new ArrayList<>(families);
		all.replaceAll((family) -> (joined.contains(family)) ? family.in(key) : family);
		return List.copyOf(all);
	}

	static Member member(BucketFamily family) {
		LimitCalculator calculator = family.calculator();
		int bytes = (calculator.largestNumber() >> 48 == 0) ? 6 : 7;
		// The format of a record, and 21 bits of a digest.
		int tag = family.digest() << 3 & 0xfffff8 | (bytes - 6) << 2 | calculator.stateLength();
		return new Member(family.label(), family.script(), calculator.stateLength(), bytes, tag);
	}

}
