package dev.ratelimit.store;

import java.util.List;

/**
 * A key under which a store may keep the states of several limits of a rule together, for
 * each subject. Only limits with states of a fixed length have one. Created at startup.
 * Immutable.
 * <p>
 * Experimental: may change in any release.
 *
 * @param label the label that identifies the key
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
	 * A limit with states in the key.
	 *
	 * @param label the family's label
	 * @param script the name of the Lua implementation of the algorithm
	 * @param numbers the number of numbers in a state
	 * @param bytes the number of bytes for the largest number, 6 or 7
	 * @param tag the tag that identifies the record of the limit
	 */
	public record Member(String label, String script, int numbers, int bytes, int tag) {
	}

}
