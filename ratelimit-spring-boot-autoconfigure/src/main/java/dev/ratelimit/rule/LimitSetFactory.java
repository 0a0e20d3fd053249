package dev.ratelimit.rule;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;

import dev.ratelimit.Limit;
import dev.ratelimit.algorithm.Algorithm;
import dev.ratelimit.algorithm.Algorithms;

/**
 * Creates the numbers of a rule and of its plans, and rejects invalid ones.
 *
 * @param cost the cost of one request
 * @param checks names the invalid property
 */
record LimitSetFactory(Cost cost, Checks checks) {

	static final String UNLIMITED = "unlimited";

	/** A limit of zero, such as {@code 0/min}. */
	private static final Pattern NOTHING = Pattern.compile("0+\\s*(/.*)?");

	/** Leases are renewed each second; one renewal may fail and one may be late. */
	private static final Duration MIN_LEASE = Duration.ofSeconds(3);

	/**
	 * Create the numbers.
	 * @param part the part of the property after the rule
	 * @param written the numbers as written
	 * @return the numbers
	 */
	LimitSet quota(String part, LimitSetDefinition written) {
		List<LimitDefinition> limits = written.limits();
		this.checks.require(!limits.isEmpty(), part, "", "the rule has no limit", "Add one, such as 'limit: 100/min'.");
		boolean unlimited = limits.stream().anyMatch((one) -> one.limit().equals(UNLIMITED));
		this.checks.require(!unlimited || limits.size() == 1, part + ".limits", UNLIMITED,
				"'unlimited' cannot be combined with other limits", "Keep one of them.");
		Optional<LimitDefinition> blocked = limits.stream()
			.filter((one) -> NOTHING.matcher(one.limit()).matches())
			.findFirst();
		this.checks.require(blocked.isEmpty() || limits.size() == 1, part + ".limits",
				blocked.map(LimitDefinition::limit).orElse(""), "a limit of 0 cannot be combined with other limits",
				"Keep one of them.");
		if (unlimited || blocked.isPresent()) {
			warnOfBurst(part, written);
			return (unlimited) ? LimitSet.UNLIMITED : LimitSet.BLOCKED;
		}
		return new LimitSet(LimitSet.Kind.LIMITED, limits(part, written),
				written.store().orElse(LimitSet.DEFAULT_STORE));
	}

	// A warning only, because a profile may override only the limit, and inherit the
	// burst of another profile.
	private void warnOfBurst(String part, LimitSetDefinition written) {
		LimitDefinition only = written.limits().get(0);
		OptionalLong burst = (only.burst().isPresent()) ? only.burst() : written.burst();
		burst.ifPresent((units) -> this.checks.warnIf(true, part + ".burst", Long.toString(units),
				"'" + only.limit() + "' does not support 'burst'; it is ignored"));
	}

	private List<Limit> limits(String part, LimitSetDefinition written) {
		this.checks.require(written.limits().size() == 1 || written.burst().isEmpty(), part + ".burst",
				(written.burst().isPresent()) ? Long.toString(written.burst().getAsLong()) : "",
				"with more than one limit, it is not clear which limit it belongs to",
				"Set 'burst' on each limit: 'limits: [{ limit: 100/min, burst: 150 }, ...]'.");
		List<Limit> limits = new ArrayList<>();
		Set<String> windows = new HashSet<>();
		for (LimitDefinition one : written.limits()) {
			Limit limit = limit(part, written, one);
			this.checks.require(windows.add(limit.window()), part + ".limits", limit.toString(),
					"the rule has two limits per " + limit.window(), "Keep the smaller one.");
			limits.add(limit);
		}
		return limits;
	}

	private Limit limit(String part, LimitSetDefinition written, LimitDefinition one) {
		Algorithm algorithm = algorithm(part, one.algorithm().or(written::algorithm).orElse(Algorithms.DEFAULT));
		OptionalLong burst = (one.burst().isPresent()) ? one.burst() : written.burst();
		LimitOptions options = one.options().over(written.options());
		Limit limit = this.checks.tried(part + ".limit", one.limit(), "Correct the limit.",
				() -> LimitText.parse(one.limit(), algorithm, burst, options));
		this.checks.require(!limit.concurrent() || limit.period().compareTo(MIN_LEASE) >= 0, part + ".lease",
				limit.period().toString(),
				"slots are renewed once a second, so a lease below 3s could end while requests hold them",
				"Set 'lease' to at least 3s, such as 30s.");
		long capacity = this.checks
			.tried(part + ".limit", limit + " with burst " + limit.burst(), "Change the limit or its burst.",
					() -> algorithm.calculator(limit))
			.capacity();
		this.checks.require(this.cost.units() <= capacity, ".cost", this.cost.toString(),
				"it is above the capacity of " + capacity + " (" + limit + "), so every request would be rejected",
				"Decrease 'cost' or increase 'burst'. See docs/doctor.md#rl007.");
		return limit;
	}

	private Algorithm algorithm(String part, String id) {
		Optional<Algorithm> found = Algorithms.find(id);
		if (found.isEmpty()) {
			this.checks.require(
					false, part + ".algorithm", id, "there is no such algorithm; the algorithms are "
							+ String.join(", ", Algorithms.ids()) + SimilarNames.hint(id, Algorithms.ids()),
					"Use one of these, or remove it.");
		}
		return found.orElseThrow();
	}

}
