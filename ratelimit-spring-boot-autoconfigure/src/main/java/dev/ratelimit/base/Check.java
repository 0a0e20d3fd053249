package dev.ratelimit.base;

import java.util.List;

/**
 * A check of the doctor for one kind of problem. Implementations must be thread-safe. A
 * check that does not return within five seconds is logged as failed; other checks
 * continue.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface Check {

	/**
	 * Run the check.
	 * @return the current findings
	 */
	List<Finding> findings();

}
