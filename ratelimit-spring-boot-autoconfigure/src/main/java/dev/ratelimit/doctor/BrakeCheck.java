package dev.ratelimit.doctor;

import java.util.List;

import dev.ratelimit.ban.BanCounts;
import dev.ratelimit.ban.Bans;

/**
 * Internal: tells of rules that ban so many clients that the brake holds up new bans.
 *
 * @param bans the bans
 */
public record BrakeCheck(Bans bans) implements Check {

	@Override
	public List<Finding> findings() {
		return this.bans.counts()
			.rules()
			.stream()
			.filter((rule) -> this.bans.counts().count(rule, BanCounts.Event.BRAKED) > 0)
			.map((rule) -> new Finding(FindingCode.BRAKED_BANS, rule,
					this.bans.counts().count(rule, BanCounts.Event.BRAKED)
							+ " clients were not banned, because there were too many new bans in a minute."))
			.toList();
	}

}
