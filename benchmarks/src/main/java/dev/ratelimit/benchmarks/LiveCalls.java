package dev.ratelimit.benchmarks;

/**
 * Measures the calls of one idle instance to Redis.
 */
final class LiveCalls implements LiveTable.Part {

	@Override
	public String name() {
		return "calls of Redis per second and instance";
	}

	@Override
	public void measure(Session session, LiveTable.Report report) throws Exception {
		session.stats().flush();
		int seconds = (session.settings().quick()) ? 1 : 20;
		try (LiveApplication application = LiveApplication.onRedis(session.redis(), "calls", true, "100/min")) {
			application.edit("101/min");
			// The first calls load scripts and read the document.
			Thread.sleep(2_000);
			session.stats().resetCommandCounts();
			Thread.sleep(seconds * 1_000L);
			CommandCounts counts = session.stats().commandCounts();
			report.add(name() + "; at most 5", application.calls(counts) / (double) seconds);
		}
	}

}
