package dev.ratelimit.load;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

import com.sun.management.ThreadMXBean;
import dev.ratelimit.Criticality.Level;
import dev.ratelimit.Phase;
import dev.ratelimit.address.IpNetworks;
import dev.ratelimit.base.Authorities;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.gate.PassageObserver;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.test.Engines;
import dev.ratelimit.web.FakeRequest;
import dev.ratelimit.web.GateSettings;
import dev.ratelimit.web.HandlerRules;
import dev.ratelimit.web.IdempotencyKeys;
import dev.ratelimit.web.LevelHeaderCounts;
import dev.ratelimit.web.Levels;
import dev.ratelimit.web.LoadStage;
import dev.ratelimit.web.ManagementPaths;
import dev.ratelimit.web.RequestGate;
import dev.ratelimit.web.Resolvers;
import dev.ratelimit.web.RuleScope;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.web.util.pattern.PathPatternParser;

import static org.assertj.core.api.Assertions.assertThat;

class SeatStageTests {

	private static final int OK = 200;

	private static final int TIMES = 5_000;

	/**
	 * The maximum number of allocated bytes per request. Without an optimizing compiler,
	 * no allocation is eliminated.
	 */
	private static final double MAX_BYTES = 200;

	private final LoadGuard guard = new LoadGuard(LoadSettings.DEFAULT, System.nanoTime());

	private final SeatStage stage = new SeatStage(this.guard,
			new Levels("", IpNetworks.NONE, List.of(), Authorities.NONE, new LevelHeaderCounts()), Phase.LATE, false,
			System::nanoTime);

	private final RateLimitEngine engine = Engines.of(new MemoryLimitStore(10, () -> 60_000_000_000L));

	private long nanos = 60_000_000_000L;

	private final FakeRequest request = FakeRequest.get("/work");

	@ParameterizedTest
	@ValueSource(strings = { "/work", "/other" })
	void guardAllocatesLittleWhileSeatsAreFree(String paths) {
		this.engine.editions().adopt(List.of(RuleBuilder.rule("work").limits("unlimited").paths(paths).build()));
		RequestGate open = gate(LoadStage.NONE);
		RequestGate guarded = gate(this.stage);
		allocated(open);
		allocated(guarded);
		assertThat(allocated(guarded) - allocated(open)).isPositive().isLessThanOrEqualTo(MAX_BYTES);
		assertThat(this.guard.status(Level.NORMAL).allowed()).isEqualTo(2 * TIMES);
		assertThat(this.guard.status(Level.NORMAL).inFlight()).isZero();
	}

	// The queue of one client is full, and those of other clients are not.
	@ParameterizedTest
	@CsvSource({ "203.0.113.7, '', true", "203.0.113.8, '', false", "203.0.113.8, 203.0.113.7, false",
			"203.0.113.8, ip:203.0.113.7, false", "203.0.113.7, bob, false" })
	void aUserWithTheNameOfAnAddressHasAFlowOfItsOwn(String address, String user, boolean sheds) {
		LoadGuard full = new LoadGuard(new LoadSettings(false, OptionalInt.of(1), LimitRange.DEFAULT, 4,
				Optional.of(Duration.ofHours(1)), LoadSettings.SHARES, 10, Optional.empty()), this.nanos);
		SeatStage busy = stage(full, true);
		RequestGate gate = gate(busy);
		this.engine.editions().adopt(List.of(RuleBuilder.rule("work").limits("unlimited").paths("/work").build()));
		FakeRequest anonymous = FakeRequest.get("/work").from("203.0.113.7");
		for (int i = 0; i < 12; i++) {
			gate.enter(RuleScope.LATE, anonymous, RequestProgress.START);
		}
		FakeRequest other = FakeRequest.get("/work").from(address);
		boolean expected = busy.expected((user.isEmpty()) ? other : other.by(user), null).orElseThrow().shed();
		assertThat(expected).isEqualTo(sheds);
	}

	@Test
	void theFlowIsThatOfTheUserIfTheStoreRespondsOnAnotherThread() {
		LoadGuard full = new LoadGuard(new LoadSettings(false, OptionalInt.of(1), LimitRange.DEFAULT, 4,
				Optional.of(Duration.ofHours(1)), LoadSettings.SHARES, 10, Optional.empty()), this.nanos);
		SeatStage busy = stage(full, true);
		RateLimitEngine remote = Engines.of(new RemoteStore(new MemoryLimitStore(10, () -> 60_000_000_000L)));
		remote.editions().adopt(List.of(RuleBuilder.rule("work").key("ip").limits("1000/s").paths("/work").build()));
		RequestGate gate = gate(remote, busy, PassageObserver.NONE);
		FakeRequest alice = FakeRequest.get("/work").from("203.0.113.7").by("alice").onThisThread();
		for (int i = 0; i < 12; i++) {
			gate.enter(RuleScope.LATE, alice, RequestProgress.START);
		}
		Awaitility.await().until(() -> sheds(busy, "alice"));
		assertThat(sheds(busy, "bob")).isFalse();
	}

	private static boolean sheds(SeatStage stage, String user) {
		return stage.expected(FakeRequest.get("/work").from("203.0.113.7").by(user), null).orElseThrow().shed();
	}

	// The timer of CompletableFuture has one thread for the whole JVM.
	@Test
	void observersOfALateRejectionDoNotDelayTheTimerOfTheJvm() {
		LoadGuard full = new LoadGuard(new LoadSettings(false, OptionalInt.of(1), LimitRange.DEFAULT, 4,
				Optional.of(Duration.ofSeconds(2)), LoadSettings.SHARES, 10, Optional.empty()), this.nanos);
		List<String> threads = new CopyOnWriteArrayList<>();
		RequestGate gate = gate(stage(full, false), (phase, call, progress) -> (decision) -> {
			if (!decision.allowed()) {
				threads.add(Thread.currentThread().getName());
			}
		});
		this.engine.editions().adopt(List.of(RuleBuilder.rule("work").limits("unlimited").paths("/work").build()));
		gate.enter(RuleScope.LATE, this.request, RequestProgress.START).join();
		assertThat(gate.enter(RuleScope.LATE, this.request, RequestProgress.START).join().allowed()).isFalse();
		assertThat(threads).singleElement().asString().startsWith("parallel-");
	}

	@ParameterizedTest
	@CsvSource({ "GET, 304, false", "GET, 206, false", "HEAD, 200, false", "GET, 500, false", "GET, 200, true" })
	void onlyWholeResponsesTellHowLongARouteTakes(String method, int status, boolean samples) {
		assertThat(limitAfter(method, status) != limitAfter("GET", 404)).isEqualTo(samples);
	}

	// Send short requests, and then longer ones of many clients.
	private int limitAfter(String method, int status) {
		LoadGuard adaptive = new LoadGuard(LoadSettings.DEFAULT, this.nanos);
		RequestGate gate = gate(stage(adaptive, false));
		this.engine.editions().adopt(List.of(RuleBuilder.rule("work").limits("unlimited").paths("/work").build()));
		run(gate, 300, 1, FakeRequest.of(method, "/work"), status);
		run(gate, 600, 20, FakeRequest.get("/work"), OK);
		return adaptive.limit();
	}

	private void run(RequestGate gate, int rounds, long millis, FakeRequest sent, int status) {
		for (int i = 0; i < rounds; i++) {
			List<CompletableFuture<RequestProgress>> entered = IntStream.range(0, 30)
				.mapToObj((client) -> gate.enter(RuleScope.LATE, sent, RequestProgress.START))
				.toList();
			this.nanos += Duration.ofMillis(millis).toNanos();
			entered.forEach((one) -> one.thenAccept((progress) -> progress.free(status)));
		}
	}

	private SeatStage stage(LoadGuard guarding, boolean byCaller) {
		return new SeatStage(guarding,
				new Levels("", IpNetworks.NONE, List.of(), Authorities.NONE, new LevelHeaderCounts()), Phase.LATE,
				byCaller, () -> this.nanos);
	}

	private RequestGate gate(LoadStage load) {
		return gate(load, PassageObserver.NONE);
	}

	private RequestGate gate(LoadStage load, PassageObserver observer) {
		return gate(this.engine, load, observer);
	}

	private static RequestGate gate(RateLimitEngine deciding, LoadStage load, PassageObserver observer) {
		RequestGate gate = new RequestGate(deciding, GateSettings.of(Resolvers.NONE,
				new IdempotencyKeys(Set.of("POST"), false), ManagementPaths.NONE, false), observer, load);
		gate.bind(HandlerRules.NONE, PathPatternParser.defaultInstance);
		return gate;
	}

	private double allocated(RequestGate gate) {
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		long before = threads.getCurrentThreadAllocatedBytes();
		for (int i = 0; i < TIMES; i++) {
			gate.enter(RuleScope.LATE, this.request, RequestProgress.START).join().free(OK);
		}
		return (threads.getCurrentThreadAllocatedBytes() - before) / (double) TIMES;
	}

	/**
	 * A store that responds on another thread.
	 *
	 * @param store the store
	 */
	private record RemoteStore(LimitStore store) implements LimitStore {

		@Override
		public String name() {
			return "remote";
		}

		@Override
		public CompletableFuture<AcquireResult> acquire(AcquireRequest request) {
			return CompletableFuture.supplyAsync(() -> this.store.acquire(request).join());
		}

		@Override
		public CompletableFuture<Void> settle(List<Settlement> settlements) {
			return this.store.settle(settlements);
		}

		@Override
		public CompletableFuture<Void> reset(List<Bucket> buckets) {
			return this.store.reset(buckets);
		}

	}

}
