package dev.ratelimit.live.redis;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.ratelimit.BanKind;
import dev.ratelimit.RuleMode;
import dev.ratelimit.ban.BanOrder;
import dev.ratelimit.base.EditConflictException;
import dev.ratelimit.candidate.RedisCandidateStore;
import dev.ratelimit.live.RuleDocument;
import dev.ratelimit.live.RuleEdit;
import dev.ratelimit.live.RuleSourceException;
import dev.ratelimit.live.RuleVersion;
import dev.ratelimit.live.SwitchRequest;
import dev.ratelimit.live.WriteResult;
import dev.ratelimit.live.redis.ScheduledChange.Outcome;
import dev.ratelimit.store.redis.RedisClock;
import dev.ratelimit.test.fault.FaultProxy;
import dev.ratelimit.test.redis.TestRedis;

/**
 * Runs changes by users of two or three instances, while connections break, Redis hangs
 * or loses the latest writes, instances restart, and clocks are set. A seed determines
 * all steps.
 */
final class Schedule {

	private static final int STEPS = 24;

	private static final int STEP_MILLIS = 80;

	private static final int CLOCK_STEP_MILLIS = 200;

	private static final Duration HEALED = Duration.ofSeconds(20);

	private static final String[] KEYS = { "{live}:head", "{live}:versions", "{live}:switches", "{live}:candidate",
			"{live}:log", "{ban}:until", "{ban}:log", "{ban}:bans", "{ban}:state" };

	private static final String COPY = "for _, key in ipairs(KEYS) do local copy = redis.call('DUMP', key)"
			+ " redis.call('DEL', 'copy:' .. key) if copy then redis.call('SET', 'copy:' .. key, copy) end end"
			+ " return 1";

	private static final String LOSE = "for _, key in ipairs(KEYS) do redis.call('DEL', key)"
			+ " local copy = redis.call('GET', 'copy:' .. key)"
			+ " if copy then redis.call('RESTORE', key, 0, copy) end end return 1";

	private final long seed;

	private final Random random;

	private final TestRedis redis;

	private final String prefix;

	private final boolean ownClocks;

	private final List<Seat> seats = new ArrayList<>();

	private final ChangeLedger ledger;

	private final AtomicInteger ids = new AtomicInteger();

	private final StringBuilder story = new StringBuilder();

	private Optional<Long> copiedNanos = Optional.empty();

	private Duration healing = Duration.ZERO;

	Schedule(TestRedis redis, long seed) {
		this.seed = seed;
		this.random = new Random(seed);
		this.redis = redis;
		this.prefix = "rl:" + seed;
		this.ownClocks = this.random.nextInt(4) == 0;
		this.ledger = new ChangeLedger(Duration.ofMillis((this.ownClocks) ? 2 * CLOCK_STEP_MILLIS + 50 : 50),
				this.ownClocks);
	}

	/**
	 * Run the schedule.
	 * @return the time until all instances agreed
	 */
	Duration run() {
		try {
			int count = 2 + this.random.nextInt(2);
			for (int i = 0; i < count; i++) {
				this.seats.add(new Seat(i));
			}
			for (int i = 0; i < STEPS; i++) {
				step();
				pause(this.random.nextInt(STEP_MILLIS));
			}
			heal();
			check();
			return this.healing;
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		finally {
			this.seats.forEach(Seat::close);
		}
	}

	private static void pause(int millis) throws InterruptedException {
		Thread.sleep(millis);
	}

	private void step() {
		Seat seat = this.seats.get(this.random.nextInt(this.seats.size()));
		int kind = this.random.nextInt(100);
		if (kind < 70) {
			change(seat);
		}
		else if (kind < 88) {
			fault(seat);
		}
		else if (kind < 92) {
			tell("restart of " + seat.index);
			seat.restart();
		}
		else if (kind < 94 && this.ownClocks) {
			int millis = (this.random.nextBoolean()) ? CLOCK_STEP_MILLIS : 0;
			tell("clock of " + seat.index + " " + millis + " ms ahead");
			seat.aheadMillis.set(millis);
		}
		else if (this.copiedNanos.isEmpty()) {
			tell("copy");
			this.copiedNanos = Optional.of(System.nanoTime());
			eval(COPY);
		}
		else {
			lose();
		}
	}

	private void tell(String what) {
		this.story.append("\n  ").append(what);
	}

	private void eval(String script) {
		this.redis.command(
				Stream
					.concat(Stream.of("EVAL", script, String.valueOf(KEYS.length)),
							Arrays.stream(KEYS).map((key) -> this.prefix + ":" + key))
					.toArray(String[]::new));
	}

	// Simulate a failover to a replica that misses the latest writes.
	private void lose() {
		long begun = System.nanoTime();
		eval(LOSE);
		this.ledger.lost(this.copiedNanos.orElseThrow(), begun, System.nanoTime());
		this.copiedNanos = Optional.empty();
		boolean reset = this.random.nextBoolean();
		tell("loss" + ((reset) ? ", connections reset" : ""));
		if (reset) {
			this.seats.forEach((seat) -> seat.proxy.reset());
		}
	}

	private void fault(Seat seat) {
		int kind = this.random.nextInt(5);
		int millis = (this.random.nextInt(12) == 0) ? 2300 : 50 + this.random.nextInt(400);
		tell(List.of("stall", "cut", "reset", "mute", "delay").get(kind) + " of " + seat.index + ", " + millis + " ms");
		switch (kind) {
			case 0 -> seat.proxy.stall();
			case 1 -> seat.proxy.cutReplies(this.random.nextInt(8));
			case 2 -> seat.proxy.reset();
			case 3 -> seat.proxy.muteReplies();
			default -> seat.proxy.delay(Duration.ofMillis(20));
		}
		seat.healer.execute(() -> {
			try {
				pause(millis);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			seat.proxy.heal();
			if (kind == 3) {
				seat.proxy.reset();
			}
		});
	}

	private void change(Seat seat) {
		int id = this.ids.incrementAndGet();
		String rule = ScheduledInstance.SWITCHED.get(this.random.nextInt(2));
		Optional<String> switched = (this.random.nextInt(4) == 0) ? Optional.empty() : Optional.of(rule);
		String subject = "user:" + this.random.nextInt(2);
		boolean second = this.random.nextInt(3) == 0;
		switch (this.random.nextInt(10)) {
			case 0, 1 -> seat.run(() -> edit(seat, id, rule, second));
			case 2 -> seat.run(() -> rollback(seat, id, second));
			case 3 -> seat.run(() -> candidate(seat, id, second));
			case 4, 5 -> seat.run(() -> turn(seat, id, switched));
			case 6 -> seat.run(() -> end(seat, switched));
			case 7, 8 -> seat.run(() -> ban(seat, id, subject, second));
			default -> seat.run(() -> lift(seat, id, subject));
		}
	}

	// Change an entry of the newest document, as an editor does.
	private void edit(Seat seat, int id, String rule, boolean quota) {
		Map<String, Object> entry = (quota) ? Map.of("overrides", Map.of("partner", Map.of("limit", id + "/min")))
				: Map.of("limit", id + "/min");
		long begun = System.nanoTime();
		Outcome outcome = Outcome.REJECTED;
		for (int attempt = 0; attempt < 5 && outcome == Outcome.REJECTED; attempt++) {
			outcome = written(() -> {
				Optional<RuleDocument> present = seat.instance.rules().newest();
				Map<String, Object> next = new LinkedHashMap<>(present.map(RuleDocument::rules).orElse(Map.of()));
				next.put(rule, entry);
				return write(seat, id, present.map(RuleDocument::version).orElse(0L), next);
			});
		}
		add(seat, ScheduledChange.RULE + rule, entry.toString(), outcome, begun);
	}

	private static WriteResult write(Seat seat, int id, long head, Map<String, Object> rules) {
		return seat.instance.rules().write(new RuleEdit(head, rules, Map.of(), "op" + id, "", List.of()));
	}

	private static Outcome written(Supplier<WriteResult> write) {
		try {
			return (write.get() instanceof WriteResult.Written) ? Outcome.DONE : Outcome.REJECTED;
		}
		catch (RuleSourceException ex) {
			return Outcome.UNKNOWN;
		}
	}

	private void rollback(Seat seat, int id, boolean far) {
		long begun = System.nanoTime();
		Map<String, Object> former = new LinkedHashMap<>();
		Outcome outcome = written(() -> {
			List<Long> history = seat.instance.rules().history(4).stream().map(RuleVersion::version).toList();
			if (history.size() < 2) {
				return new WriteResult.Outdated(0);
			}
			long version = history.get((far) ? history.size() - 1 : 1);
			former.putAll(seat.instance.rules().version(version).map(RuleDocument::rules).orElse(Map.of()));
			return write(seat, id, history.get(0), former);
		});
		for (String rule : ScheduledInstance.SWITCHED) {
			String value = Optional.ofNullable(former.get(rule)).map(Object::toString).orElse("");
			add(seat, ScheduledChange.RULE + rule, value, outcome, begun);
		}
	}

	private static void candidate(Seat seat, int id, boolean end) {
		try {
			RedisCandidateStore store = seat.instance.candidates();
			if (end) {
				store.read().ifPresent((found) -> store.end(found.document().version(), "op" + id));
			}
			else {
				store.write(seat.instance.rules().newest(), Map.of("search", Map.of("limit", id + "/min")), "op" + id,
						"");
			}
		}
		catch (EditConflictException | RuleSourceException ex) {
			// All instances still have the same candidate.
			seat.rejections.incrementAndGet();
		}
	}

	private void turn(Seat seat, int id, Optional<String> rule) {
		long begun = System.nanoTime();
		Outcome outcome = Outcome.DONE;
		try {
			seat.instance.switches()
				.set(new SwitchRequest(rule, RuleMode.OFF, Duration.ofHours(1), "op" + id, "", false));
		}
		catch (RuleSourceException ex) {
			outcome = Outcome.UNKNOWN;
		}
		add(seat, "switch " + rule.orElse("all"), "op" + id, outcome, begun);
	}

	private void end(Seat seat, Optional<String> rule) {
		long begun = System.nanoTime();
		Outcome outcome;
		try {
			outcome = (seat.instance.switches().end(rule, false)) ? Outcome.DONE : Outcome.REJECTED;
		}
		catch (RuleSourceException ex) {
			outcome = Outcome.UNKNOWN;
		}
		add(seat, "switch " + rule.orElse("all"), "", outcome, begun);
	}

	private void ban(Seat seat, int id, String subject, boolean strikes) {
		long begun = System.nanoTime();
		long millis = ScheduledInstance.banMillis(id);
		BanOrder order = new BanOrder("login", subject, BanKind.BAN, millis, 1, millis, 0, (strikes) ? "" : "op" + id);
		Outcome done = (strikes) ? Outcome.HERE : Outcome.DONE;
		try {
			Outcome outcome = switch (seat.instance.bans().impose(order).join().result()) {
				case IMPOSED -> done;
				// The subject is banned. If the reply of Redis was lost, the ban may be
				// from this strike instead of the one that the instance has a copy of.
				case KEPT -> Outcome.UNKNOWN;
				case BRAKED, FULL -> Outcome.REJECTED;
			};
			add(seat, "ban " + subject, "op" + id, outcome, begun);
		}
		catch (CompletionException ex) {
			add(seat, "ban " + subject, "op" + id, Outcome.UNKNOWN, begun);
			if (id % 2 == 0) {
				long again = System.nanoTime();
				seat.instance.bans().imposeHere(order);
				add(seat, "ban " + subject, "op" + id, Outcome.HERE, again);
			}
		}
	}

	private void lift(Seat seat, int id, String subject) {
		long begun = System.nanoTime();
		try {
			boolean lifted = seat.instance.bans().lift("login", subject, "op" + id).join();
			add(seat, "ban " + subject, "", (lifted) ? Outcome.DONE : Outcome.REJECTED, begun);
		}
		catch (CompletionException ex) {
			add(seat, "ban " + subject, "", Outcome.UNKNOWN, begun);
			if (id % 2 == 0) {
				long again = System.nanoTime();
				boolean lifted = seat.instance.bans().liftHere("login", subject, "op" + id);
				add(seat, "ban " + subject, "", (lifted) ? Outcome.HERE : Outcome.REJECTED, again);
			}
		}
	}

	private void add(Seat seat, String register, String value, Outcome outcome, long begunNanos) {
		this.ledger.add(new ScheduledChange(seat.index, register, value, outcome, begunNanos, System.nanoTime()));
	}

	private void heal() throws InterruptedException {
		for (Seat seat : this.seats) {
			seat.drain();
			seat.proxy.heal();
		}
	}

	private void check() throws InterruptedException {
		long begun = System.nanoTime();
		awaitPolls(begun);
		try (ScheduledInstance observer = new ScheduledInstance(this.redis.host(), this.redis.port(), this.prefix,
				RedisClock.SERVER, InstantSource.system())) {
			List<String> wrong = wrong(observer);
			while (!wrong.isEmpty() && System.nanoTime() - begun < HEALED.toNanos()) {
				pause(10);
				wrong = wrong(observer);
			}
			this.healing = Duration.ofNanos(System.nanoTime() - begun);
			fail(wrong, "is wrong");
			// Late writes of an instance to Redis must not change the state either.
			pause(1100);
			fail(wrong(observer), "becomes wrong afterwards");
		}
	}

	// An instance that wrote a version restores it with a poll, and the next poll reads
	// it. After a failed poll, the instance polls again a second later.
	private void awaitPolls(long begunNanos) throws InterruptedException {
		int[] before = this.seats.stream().mapToInt((seat) -> seat.instance.polls()).toArray();
		while (this.seats.stream().anyMatch((seat) -> seat.instance.polls() < before[seat.index] + 2)) {
			if (System.nanoTime() - begunNanos > HEALED.toNanos()) {
				throw new AssertionError("an instance does not poll, schedule -Dtest.seed=" + this.seed);
			}
			pause(10);
		}
	}

	private List<String> wrong(ScheduledInstance observer) {
		List<String> wrong = new ArrayList<>(this.ledger.wrong(observer.values()));
		String state = observer.state();
		this.seats.stream()
			.map((seat) -> seat.instance.state())
			.filter((other) -> !other.equals(state))
			.forEach((other) -> wrong.add("an instance has\n  %s\nand Redis\n  %s".formatted(other, state)));
		return wrong;
	}

	private void fail(List<String> wrong, String what) {
		if (!wrong.isEmpty()) {
			throw new AssertionError("schedule -Dtest.seed=%d %s%s:%n%s%nafter%s".formatted(this.seed, what,
					(this.ownClocks) ? ", by the clocks of instances" : "", String.join("\n", wrong), this.story));
		}
	}

	/**
	 * An instance, its users, and its connection. The instance may be restarted.
	 */
	private final class Seat implements AutoCloseable {

		private final int index;

		private final FaultProxy proxy = FaultProxy.to(Schedule.this.redis.host(), Schedule.this.redis.port());

		private final ExecutorService users = Executors.newSingleThreadExecutor();

		private final ExecutorService healer = Executors.newSingleThreadExecutor();

		private final AtomicLong aheadMillis = new AtomicLong();

		private final AtomicInteger rejections = new AtomicInteger();

		private final List<Throwable> failures = new ArrayList<>();

		private volatile ScheduledInstance instance;

		Seat(int index) {
			this.index = index;
			this.instance = instance();
		}

		private ScheduledInstance instance() {
			return new ScheduledInstance(this.proxy.host(), this.proxy.port(), Schedule.this.prefix,
					(Schedule.this.ownClocks) ? RedisClock.CLIENT : RedisClock.SERVER,
					() -> Instant.now().plusMillis(this.aheadMillis.get()));
		}

		private void run(Runnable change) {
			this.users.execute(() -> {
				try {
					change.run();
				}
				catch (RuntimeException ex) {
					this.failures.add(ex);
				}
			});
		}

		private void restart() {
			run(() -> {
				this.instance.close();
				Schedule.this.ledger.restarted(this.index);
				this.instance = instance();
			});
		}

		private void drain() throws InterruptedException {
			this.users.shutdown();
			this.healer.shutdown();
			if (!this.users.awaitTermination(1, TimeUnit.MINUTES)
					|| !this.healer.awaitTermination(1, TimeUnit.MINUTES)) {
				throw new AssertionError("a change never ends, schedule " + Schedule.this.seed);
			}
			this.failures.forEach((failure) -> {
				throw new AssertionError("schedule -Dtest.seed=" + Schedule.this.seed, failure);
			});
		}

		@Override
		public void close() {
			this.users.shutdownNow();
			this.healer.shutdownNow();
			this.instance.close();
			this.proxy.close();
		}

	}

}
