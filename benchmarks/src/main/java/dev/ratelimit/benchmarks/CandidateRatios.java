package dev.ratelimit.benchmarks;

/**
 * Measures the cost of comparing a candidate with the active rules: each decision of a
 * rule that the candidate changes is charged twice.
 *
 * @param changed the number of rules that the candidate changes, of ten
 */
record CandidateRatios(int changed) implements LiveTable.Part {

	@Override
	public String name() {
		return "candidate on : off, " + ((this.changed < TenRules.RULES) ? this.changed + " of " : "all ")
				+ TenRules.RULES + " rules changed";
	}

	@Override
	public void measure(Session session, LiveTable.Report report) throws Exception {
		session.stats().flush();
		try (TenRules off = TenRules.onRedis(session.redis(), "off");
				TenRules on = TenRules.onRedis(session.redis(), "on")) {
			on.propose(this.changed);
			LiveRatios.compare(
					name() + ", strict decisions; at least " + ((this.changed < TenRules.RULES) ? 0.9 : 0.45), on, off,
					Load.loops(64, session.settings().many(100_000)), session, report);
		}
	}

}
