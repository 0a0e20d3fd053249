package dev.ratelimit.api;

import dev.ratelimit.base.RulePermit;
import dev.ratelimit.live.edit.EditRequest;

/**
 * A client that changes rules.
 *
 * @param name its name
 * @param permit the rules that it may change
 */
record ApiWriter(String name, RulePermit permit) {

	EditRequest request(long version, String note) {
		return new EditRequest(version, this.name, note, false, this.permit);
	}

}
