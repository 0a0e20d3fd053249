package dev.ratelimit.ban;

import java.util.List;

import dev.ratelimit.base.Check;
import dev.ratelimit.base.Finding;
import dev.ratelimit.base.FindingCode;

/**
 * Reports rules that ban so many clients that the brake delays new bans.
 *
 * @param bans the bans
 */
record BrakeCheck(Bans bans) implements Check {

	@Override
	public List<Finding> findings() {
		return this.bans.counts()
			.rules()
			.stream()
			.filter((rule) -> this.bans.counts().count(rule, BanCounts.Event.BRAKED) > 0)
			.map((rule) -> new Finding(FindingCode.BAN_RATE_EXCEEDED, rule,
					this.bans.counts().count(rule, BanCounts.Event.BRAKED)
							+ " strikes imposed no ban, because there were too many new bans in a minute."))
			.toList();
	}

}
