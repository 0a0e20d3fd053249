package dev.ratelimit.doctor;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import dev.ratelimit.RuleMode;
import dev.ratelimit.base.ActiveRules;
import dev.ratelimit.base.Check;
import dev.ratelimit.base.Finding;
import dev.ratelimit.base.FindingCode;
import dev.ratelimit.gate.RuleObservations;

/**
 * Internal: finds rules that no request has matched, although the application has
 * received many requests.
 */
public final class UnmatchedCheck implements Check {

	/** The minimum number of requests for a finding. */
	private static final long BUSY = 100;

	private final RequestObservations observations;

	private final Duration after;

	private final InstantSource clock;

	private final Supplier<ActiveRules> active;

	/**
	 * Create a check.
	 * @param observations the observations of requests
	 * @param after the minimum time that a rule is active before it is reported
	 * @param clock the clock
	 * @param active the active rules
	 */
	public UnmatchedCheck(RequestObservations observations, Duration after, InstantSource clock,
			Supplier<ActiveRules> active) {
		this.active = active;
		this.observations = observations;
		this.after = after;
		this.clock = clock;
	}

	private Set<String> reachable() {
		return this.active.get()
			.rules()
			.stream()
			.filter((reach) -> reach.rule().reaction().mode() != RuleMode.OFF && !reach.paths().isEmpty())
			.map((reach) -> reach.rule().id())
			.collect(Collectors.toUnmodifiableSet());
	}

	@Override
	public List<Finding> findings() {
		if (this.observations.peers().requests() < BUSY) {
			return List.of();
		}
		Set<String> reachable = reachable();
		return this.observations.rules()
			.stream()
			.filter((seen) -> !seen.matched() && reachable.contains(seen.rule().id()) && isOverdue(seen))
			.map(this::finding)
			.toList();
	}

	private boolean isOverdue(RuleObservations seen) {
		return Duration.between(seen.since(), this.clock.instant()).compareTo(this.after) >= 0;
	}

	private Finding finding(RuleObservations seen) {
		return new Finding(FindingCode.UNMATCHED_RULE, seen.rule().location(),
				"The rule is active since " + seen.since() + ", and no request has matched it.");
	}

}
