package dev.ratelimit.benchmarks;

/**
 * What it costs to compare a candidate with the active rules: each decision of a rule
 * that it changes is charged twice.
 *
 * @param changed how many of ten rules it changes
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
