package dev.ratelimit.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongFunction;

import dev.ratelimit.RuleMode;
import dev.ratelimit.live.SwitchRequest;
import dev.ratelimit.live.Switches;

/**
 * Measures instances on one Redis, all in this process: the time until they apply an edit
 * or a switch, and the time between the first and the last of them.
 */
final class LiveInstances implements LiveTable.Part {

	private static final int INSTANCES = 20;

	private static final int ROUNDS = 10;

	@Override
	public String name() {
		return "20 instances, ms";
	}

	@Override
	public void measure(Session session, LiveTable.Report report) throws Exception {
		session.stats().flush();
		boolean quick = session.settings().quick();
		List<Follower> followers = new ArrayList<>();
		try {
			for (int i = 0; i < ((quick) ? 2 : INSTANCES); i++) {
				followers.add(new Follower(LiveApplication.onRedis(session.redis(), "fleet", true, "100/min")));
			}
			for (int round = 1; round <= ((quick) ? 1 : ROUNDS); round++) {
				edit(followers, round, report);
				toggle(followers, round, report);
			}
		}
		finally {
			followers.forEach((follower) -> follower.application.close());
		}
	}

	private void edit(List<Follower> followers, int round, LiveTable.Report report) throws InterruptedException {
		String limit = (100 + round) + "/min";
		long start = System.nanoTime();
		followers.get(round % followers.size()).application.edit(limit);
		await(() -> followers.stream().allMatch((follower) -> follower.limit.equals(limit)));
		report.add(name() + " until the last applies an edit; at most 1,000",
				latest(followers, (follower) -> follower.limitNanos - start) / 1e6);
		report.add(name() + " from the first to the last that applies an edit; at most 50",
				(latest(followers, (follower) -> follower.limitNanos - start)
						+ latest(followers, (follower) -> start - follower.limitNanos)) / 1e6);
	}

	private void toggle(List<Follower> followers, int round, LiveTable.Report report) throws InterruptedException {
		Switches switches = followers.get(round % followers.size()).application.context().getBean(Switches.class);
		long start = System.nanoTime();
		switches.set(new SwitchRequest(Optional.of(LiveApplication.RULE), RuleMode.SHADOW, Duration.ofHours(1), "bench",
				"", false));
		await(() -> followers.stream().allMatch((follower) -> follower.mode == RuleMode.SHADOW));
		report.add(name() + " until the last applies a switch; at most 400",
				latest(followers, (follower) -> follower.modeNanos - start) / 1e6);
		switches.end(Optional.of(LiveApplication.RULE), false);
		await(() -> followers.stream().allMatch((follower) -> follower.mode == RuleMode.ENFORCE));
	}

	private static long latest(List<Follower> followers, ToLongFunction<Follower> nanos) {
		return followers.stream().mapToLong(nanos).max().orElseThrow();
	}

	static String limit(LiveApplication application) {
		return String
			.valueOf(application.editions().current().rules().rules().get(LiveApplication.RULE).limits().get(0));
	}

	static void await(BooleanSupplier condition) throws InterruptedException {
		long endNanos = System.nanoTime() + Duration.ofSeconds(30).toNanos();
		while (!condition.getAsBoolean()) {
			if (System.nanoTime() - endNanos > 0) {
				throw new IllegalStateException("The instances do not follow");
			}
			Thread.sleep(5);
		}
	}

	/**
	 * Records the times at which its instance changes.
	 */
	private static final class Follower {

		private final LiveApplication application;

		private volatile String limit = "";

		private volatile RuleMode mode = RuleMode.ENFORCE;

		private volatile long limitNanos;

		private volatile long modeNanos;

		Follower(LiveApplication application) {
			this.application = application;
			application.editions().addListener((edition) -> follow());
		}

		private void follow() {
			long now = System.nanoTime();
			String nextLimit = limit(this.application);
			if (!nextLimit.equals(this.limit)) {
				this.limitNanos = now;
				this.limit = nextLimit;
			}
			RuleMode nextMode = this.application.editions()
				.current()
				.rules()
				.rules()
				.get(LiveApplication.RULE)
				.reaction()
				.mode();
			if (nextMode != this.mode) {
				this.modeNanos = now;
				this.mode = nextMode;
			}
		}

	}

}
