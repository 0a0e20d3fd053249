package dev.ratelimit.connection;

import java.util.List;
import java.util.function.LongSupplier;

import dev.ratelimit.base.Check;
import dev.ratelimit.base.Finding;
import dev.ratelimit.base.FindingCode;

/**
 * Reports upgraded requests whose slots no connection claimed.
 *
 * @param neverClaimed the number of such slots since the start
 */
record UnclaimedConnectionsCheck(LongSupplier neverClaimed) implements Check {

	@Override
	public List<Finding> findings() {
		long count = this.neverClaimed.getAsLong();
		return (count == 0) ? List.of() : List.of(new Finding(FindingCode.UNCLAIMED_CONNECTIONS, "ratelimit.rules",
				"The slots of " + count + " upgraded requests were freed because no session began within 10 s."));
	}

}
