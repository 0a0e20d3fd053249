package dev.ratelimit.actuate;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Internal: reasons to reject a subject other than its exhausted buckets, such as bans. A
 * bean of this type takes part when an operator releases a subject.
 */
@FunctionalInterface
public interface SubjectBlocks {

	/**
	 * End everything that rejects a subject.
	 * @param subject the subject, in canonical form
	 * @param user the user that ends it
	 * @return the ids of the rules under which something was ended
	 */
	CompletableFuture<List<String>> lift(String subject, String user);

}
