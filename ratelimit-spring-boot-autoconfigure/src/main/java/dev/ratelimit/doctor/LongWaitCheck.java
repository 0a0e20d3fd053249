package dev.ratelimit.doctor;

import java.time.Duration;
import java.util.List;

import dev.ratelimit.base.Finding;
import dev.ratelimit.base.FindingCode;
import dev.ratelimit.base.RuleReach;
import dev.ratelimit.rule.Waiting;

/**
 * Finds rules that let requests wait for longer than most clients and proxies do.
 */
final class LongWaitCheck {

	private static final Duration LONG = Duration.ofSeconds(10);

	private LongWaitCheck() {
	}

	static List<Finding> in(List<RuleReach> rules) {
		return rules.stream()
			.filter((reach) -> reach.rule()
				.reaction()
				.waiting()
				.map(Waiting::max)
				.filter((max) -> max.compareTo(LONG) > 0)
				.isPresent())
			.map((reach) -> new Finding(FindingCode.LONG_WAIT, reach.rule().id(),
					"Its maximum wait is longer than 10 s. Clients and proxies may give up before, and servlet"
							+ " requests keep their place in the line even so."))
			.toList();
	}

}
