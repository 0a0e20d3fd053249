package dev.ratelimit.doctor;

import java.util.List;

/**
 * Looks for one kind of thing that is wrong. Must be quick and thread-safe, and must not
 * wait for anything.
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
