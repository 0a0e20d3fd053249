package dev.ratelimit.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.ratelimit.DecisionEventSink;

import org.springframework.context.support.GenericApplicationContext;

/**
 * Compares the numbers of decisions per second of two applications. The speed of the
 * machine varies from second to second, so the two applications take many short turns.
 * Each round consists of four turns in a row: one turn of one application, two turns of
 * the other one, and one turn of the first one. A steady change of the speed therefore
 * affects both alike.
 */
final class LiveRatios {

	/**
	 * The time of a turn. It is so short that both applications have the same machine
	 * speed.
	 */
	private static final Duration TURN = Duration.ofMillis(500);

	/**
	 * The time until all clients of a turn run and all clients of the turn before have
	 * ended.
	 */
	private static final Duration RAMP = Duration.ofMillis(100);

	private LiveRatios() {
	}

	static void compare(String row, Contestant own, Contestant base, Load load, Session session,
			LiveTable.Report report) throws Exception {
		String[] keys = Keys.create("user:", load.keys());
		if (load.filled()) {
			List.of(base, own).forEach((each) -> List.of(keys).forEach(each::decideNow));
		}
		Pace pace = session.settings().decisions();
		Pace turns = turns(pace);
		// The warm-up also takes turns, so that the compiler has seen both applications
		// at its end.
		for (long i = 0; i < pace.warmup().dividedBy(turns.measure()); i++) {
			perSecond(base, load, keys, turns);
			perSecond(own, load, keys, turns);
		}
		for (int round = 0; round < turns.rounds(); round++) {
			Contestant outer = (round % 2 == 0) ? base : own;
			Contestant inner = (round % 2 == 0) ? own : base;
			double before = perSecond(outer, load, keys, turns);
			double between = perSecond(inner, load, keys, turns) + perSecond(inner, load, keys, turns);
			double outside = before + perSecond(outer, load, keys, turns);
			report.add(row, (outer == base) ? between / outside : outside / between);
		}
	}

	// The total time is that of other tables. A round has two turns of each application.
	private static Pace turns(Pace pace) {
		if (pace.measure().compareTo(TURN) <= 0) {
			return pace;
		}
		long rounds = pace.measure().multipliedBy(pace.rounds()).dividedBy(TURN.multipliedBy(2));
		return new Pace(pace.warmup(), RAMP, TURN, (int) rounds);
	}

	private static double perSecond(Contestant contestant, Load load, String[] keys, Pace pace) throws Exception {
		Driver driver = Driver.start(contestant, load, keys);
		Driver.pause(pace.ramp());
		long startedAt = System.nanoTime();
		driver.begin();
		Driver.pause(pace.measure());
		driver.end();
		double seconds = (System.nanoTime() - startedAt) / 1e9;
		return driver.tally().decisions() / seconds;
	}

	/** Measures decisions with live rules in Redis that do not change. */
	static final class Live implements LiveTable.Part {

		@Override
		public String name() {
			return "live rules on : off";
		}

		@Override
		public void measure(Session session, LiveTable.Report report) throws Exception {
			session.stats().flush();
			// Write a document that changes nothing.
			try (LiveApplication writer = LiveApplication.onRedis(session.redis(), "on", true, "6000/h")) {
				writer.edit("6000/h");
			}
			try (LiveApplication off = LiveApplication.onRedis(session.redis(), "off", false, "6000/h");
					LiveApplication on = LiveApplication.onRedis(session.redis(), "on", true, "6000/h")) {
				compare(name() + ", strict decisions; at least 0.98", on, off,
						Load.loops(64, session.settings().many(100_000)), session, report);
			}
		}

	}

	/**
	 * Measures subjects that were charged before an edit of the limit, and once after it.
	 */
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
				LiveInstances.await(() -> LiveInstances.limit(after).equals("1100/d"));
				compare(name() + ", strict decisions; at least 0.95", after, before,
						Load.loops(64, subjects).filledFirst(), session, report);
			}
		}

	}

	/** Measures rejections that telemetry counts. */
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
