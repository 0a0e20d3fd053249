package dev.ratelimit.actuate;

import dev.ratelimit.base.Changes;

/**
 * Internal: reasons to reject a subject other than its exhausted buckets, such as bans. A
 * bean of this type takes part when an operator releases a subject.
 */
@FunctionalInterface
public interface SubjectBlocks {

	/**
	 * Lift all blocks of a subject.
	 * @param subject the subject, in canonical form
	 * @param user the user that lifts the blocks
	 * @return the lifts, by the ids of the rules that block the subject
	 */
	Changes lift(String subject, String user);

}
