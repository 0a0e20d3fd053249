package dev.ratelimit.doctor;

import java.util.List;

/**
 * Looks for one kind of thing that is wrong. Must be thread-safe. A check that does not
 * return within five seconds is reported as failed, and other checks go on.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface Check {

	/**
	 * Look now.
	 * @return what is wrong at the time
	 */
	List<Finding> findings();

}
