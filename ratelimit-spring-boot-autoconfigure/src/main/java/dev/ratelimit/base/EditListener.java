package dev.ratelimit.base;

import java.util.List;

/**
 * Internal: is told of changes that users made through this instance, for an audit log.
 */
@FunctionalInterface
public interface EditListener {

	/** Nobody is told. */
	EditListener NONE = (user, what, note, changes) -> {
	};

	/**
	 * A user has changed something.
	 * @param user the user
	 * @param what what was changed, such as {@code version 13}
	 * @param note the reason; may be empty
	 * @param changes the changes, in words
	 */
	void changed(String user, String what, String note, List<String> changes);

}
