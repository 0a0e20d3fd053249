package dev.ratelimit.doctor;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.MissingKeyPolicy;
import dev.ratelimit.base.Check;
import dev.ratelimit.base.Finding;
import dev.ratelimit.base.FindingCode;
import dev.ratelimit.rule.EnumNames;
import dev.ratelimit.rule.KeyPart;
import dev.ratelimit.rule.RuleKey;
import dev.ratelimit.web.RuleObservations;

/**
 * Finds rules whose key most requests lack, or whose bucket cannot hold what requests
 * cost.
 *
 * @param observations what was seen of requests
 */
record KeyAndCostCheck(RequestObservations observations) implements Check {

	/** So few may be anybody's. */
	private static final long FEW = 10;

	/** So many would not be alike by chance. */
	private static final long MANY = 100;

	@Override
	public List<Finding> findings() {
		List<Finding> findings = new ArrayList<>();
		for (RuleObservations seen : this.observations.rules()) {
			if (seen.asked() >= MANY && 10 * seen.lacking() > 9 * seen.asked()) {
				findings.add(missing(seen));
			}
			if (seen.oversized() >= FEW) {
				findings.add(oversized(seen));
			}
		}
		return findings;
	}

	private static Finding missing(RuleObservations seen) {
		return Finding.counted(FindingCode.MISSING_KEY, property(seen) + ".key",
				seen.lacking() + " of " + seen.asked() + " requests had no value for a part of the key "
						+ seen.rule().key().parts() + "; " + consequence(seen.rule().key()) + ".",
				seen.lacking());
	}

	private static String consequence(RuleKey key) {
		return key.onMissing()
			.map((policy) -> "with 'on-missing-key: " + EnumNames.of(policy) + "' " + consequence(policy))
			.orElseGet(() -> "without 'on-missing-key' " + unwritten(key));
	}

	private static String unwritten(RuleKey key) {
		if (!key.requiresPrincipal()) {
			return consequence(MissingKeyPolicy.SHARED);
		}
		boolean others = key.parts().stream().map(KeyPart::kind).anyMatch(KeyAndCostCheck::isSharedWithout);
		return (others) ? "those without a user or claim are counted by client address, and others share one bucket"
				: consequence(MissingKeyPolicy.IP);
	}

	private static boolean isSharedWithout(KeyPart.Kind kind) {
		return kind.mayBeMissing() && !kind.requiresPrincipal();
	}

	private static String consequence(MissingKeyPolicy onMissingKey) {
		return switch (onMissingKey) {
			case SHARED -> "they share one bucket";
			case SKIP -> "they are not limited by the rule";
			case DENY -> "they are rejected";
			case IP -> "they are counted by client address";
		};
	}

	private static Finding oversized(RuleObservations seen) {
		return Finding.counted(FindingCode.COST_ABOVE_CAPACITY, property(seen) + ".cost",
				seen.oversized() + " requests cost more than the capacity of " + seen.rule().limits()
						+ ". Such requests are always rejected.",
				seen.oversized());
	}

	private static String property(RuleObservations seen) {
		return "ratelimit.rules." + seen.rule().id();
	}

}
