package dev.ratelimit.base;

import java.util.List;

/**
 * Internal: a change that a user has made through this instance. It is published as an
 * application event, for the audit log. Immutable.
 *
 * @param user the user
 * @param subject the changed object, such as {@code version 13}
 * @param note the reason; may be empty
 * @param changes the changes, in words
 */
public record UserEdit(String user, String subject, String note, List<String> changes) {

	public UserEdit {
		changes = List.copyOf(changes);
	}

}
