package dev.ratelimit.actuate;

import java.util.Map;
import java.util.concurrent.CompletableFuture;

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
	 * @return by the id of each rule that blocks the subject: whether the block was
	 * lifted
	 */
	Map<String, CompletableFuture<Boolean>> lift(String subject, String user);

}
