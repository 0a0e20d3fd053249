package dev.ratelimit.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.ratelimit.DecisionEventSink;

import org.springframework.context.support.GenericApplicationContext;

/**
 * Decisions per second of one application, as a share of those of another. The two take
 * turns, and each round compares neighbors.
 */
final class LiveRatios {

	private LiveRatios() {
	}

	static void compare(String row, Contestant own, Contestant base, Load load, Session session,
			LiveTable.Report report) throws Exception {
		String[] keys = Keys.create("user:", load.keys());
		for (Contestant each : List.of(base, own)) {
			if (load.filled()) {
				List.of(keys).forEach(each::decideNow);
			}
			perSecond(each, load, keys, Duration.ZERO, session.settings().decisions().warmup());
		}
		Pace pace = session.settings().decisions();
		for (int round = 0; round < pace.rounds(); round++) {
			boolean baseFirst = round % 2 == 0;
			double first = perSecond((baseFirst) ? base : own, load, keys, pace.ramp(), pace.measure());
			double second = perSecond((baseFirst) ? own : base, load, keys, pace.ramp(), pace.measure());
			report.add(row, (baseFirst) ? second / first : first / second);
		}
	}

	private static double perSecond(Contestant contestant, Load load, String[] keys, Duration ramp, Duration time)
			throws Exception {
		Driver driver = Driver.start(contestant, load, keys);
		Driver.pause(ramp);
		long startedAt = System.nanoTime();
		driver.begin();
		Driver.pause(time);
		driver.end();
		double seconds = (System.nanoTime() - startedAt) / 1e9;
		return driver.tally().decisions() / seconds;
	}

	/** Live rules in Redis that do not change. */
	static final class Live implements LiveTable.Part {

		@Override
		public String name() {
			return "live rules on : off";
		}

		@Override
		public void measure(Session session, LiveTable.Report report) throws Exception {
			session.stats().flush();
			// Another instance has written: this one has had no other limit.
			try (LiveApplication writer = LiveApplication.onRedis(session.redis(), "on", true, "6000/h")) {
				writer.edit("6001/h");
			}
			try (LiveApplication off = LiveApplication.onRedis(session.redis(), "off", false, "6000/h");
					LiveApplication on = LiveApplication.onRedis(session.redis(), "on", true, "6000/h")) {
				compare(name() + ", strict decisions; at least 0.98", on, off,
						Load.loops(64, session.settings().many(100_000)), session, report);
			}
		}

	}

	/** Subjects that were charged before the limit was edited, and once since. */
	static final class Edited implements LiveTable.Part {

		private static final int SUBJECTS = 5_000;

		@Override
		public String name() {
			return "after an edit of `1000/d` : before";
		}

		@Override
		public void measure(Session session, LiveTable.Report report) throws Exception {
			session.stats().flush();
			int subjects = (session.settings().quick()) ? 500 : SUBJECTS;
			String[] keys = Keys.create("user:", subjects);
			try (LiveApplication before = LiveApplication.onRedis(session.redis(), "before", true, "1000/d");
					LiveApplication after = LiveApplication.onRedis(session.redis(), "after", true, "1000/d")) {
				List.of(keys).forEach(after::decideNow);
				after.edit("1100/d");
				LiveFleet.await(() -> LiveFleet.limit(after).equals("1100/d"));
				compare(name() + ", strict decisions; at least 0.95", after, before,
						Load.loops(64, subjects).filledFirst(), session, report);
			}
		}

	}

	/** Rejections, which telemetry counts. */
	static final class Denials implements LiveTable.Part {

		@Override
		public String name() {
			return "rejections with telemetry : without";
		}

		@Override
		public void measure(Session session, LiveTable.Report report) throws Exception {
			try (LiveApplication without = LiveApplication.inMemory("1/d", Map.of());
					LiveApplication with = LiveApplication.inMemory("1/d", Map.of("ratelimit.telemetry.top", true,
							"context.initializer.classes", Sink.class.getName()))) {
				compare(name() + ", top subjects and events, in memory; at least 0.9", with.rejecting(),
						without.rejecting(), Load.threads(2, 1_000).filledFirst(), session, report);
			}
		}

	}

	/** Adds a sink of events to an application. */
	static final class Sink
			implements org.springframework.context.ApplicationContextInitializer<GenericApplicationContext> {

		@Override
		public void initialize(GenericApplicationContext context) {
			context.registerBean(DecisionEventSink.class, () -> (events) -> {
			});
		}

	}

}
