package dev.ratelimit.base;

/**
 * Internal: receives the edits of users, for an audit log.
 */
@FunctionalInterface
public interface EditListener {

	/** Ignores all edits. */
	EditListener NONE = (edit) -> {
	};

	/**
	 * A user has changed something.
	 * @param edit the edit
	 */
	void edited(UserEdit edit);

}
