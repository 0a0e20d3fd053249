package dev.ratelimit.store;

import java.util.List;

/**
 * A key under which a store may keep the states of several limits of a rule together, for
 * each subject. Only limits with states of a fixed length have one. Made at start-up,
 * immutable.
 * <p>
 * Experimental: may change in any release.
 *
 * @param label identifies it among other keys
 * @param members the limits, in their order
 * @since 0.1.0
 */
public record JointKey(String label, List<Member> members) {

	public JointKey {
		members = List.copyOf(members);
	}

	/**
	 * Return the index of the limit with a label.
	 * @param familyLabel the label
	 * @return the index, or -1 if there is none
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
	 * @param tag identifies its record among those of other limits
	 */
	public record Member(String label, String script, int numbers, int bytes, int tag) {
	}

}
