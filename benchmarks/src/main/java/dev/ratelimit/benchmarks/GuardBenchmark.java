package dev.ratelimit.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.Phase;
import dev.ratelimit.address.IpNetworks;
import dev.ratelimit.base.Authorities;
import dev.ratelimit.engine.DecisionObservers;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.engine.IdempotencySettings;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.engine.WaitQueues;
import dev.ratelimit.gate.PassageObserver;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.load.LoadGuard;
import dev.ratelimit.load.LoadSettings;
import dev.ratelimit.load.SeatStage;
import dev.ratelimit.store.StoreDeadlines;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.memory.MemoryLimitStore;
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
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Measures requests at the gate while seats are free, from the path to the end of the
 * request. The cost of the load guard is the difference to {@code none}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class GuardBenchmark {

	private static final int OK = 200;

	private static final String PATH = "/work";

	@Param({ "none", "fixed", "adaptive" })
	String guard;

	private final RateLimitEngine engine = new RateLimitEngine(new Editions(),
			new MemoryLimitStore(1_000_000, System::currentTimeMillis), StoreDeadlines.of(Duration.ofSeconds(1)),
			"secret", IdempotencySettings.DEFAULT, new DecisionObservers(List.of(), List.of()), Time.SYSTEM,
			WaitQueues.Factory.NONE);

	private @Nullable RequestGate gate;

	@Setup
	public void adoptRules() {
		this.gate = new RequestGate(this.engine,
				GateSettings.of(Resolvers.NONE, new IdempotencyKeys(Set.of(), false), ManagementPaths.NONE, false),
				PassageObserver.NONE, stage());
		this.gate.bind(HandlerRules.NONE, PathPatternParser.defaultInstance);
		this.engine.editions().adopt(List.of(BenchmarkRules.rule("work", PATH, "10000000/s")));
	}

	private LoadStage stage() {
		if (this.guard.equals("none")) {
			return LoadStage.NONE;
		}
		LoadSettings adaptive = LoadSettings.DEFAULT;
		LoadSettings fixed = new LoadSettings(false, OptionalInt.of(20), adaptive.range(), adaptive.queueLength(),
				adaptive.maxWait(), adaptive.shares(), adaptive.reserve(), Optional.empty());
		Levels levels = new Levels("", IpNetworks.NONE, List.of(), Authorities.NONE, new LevelHeaderCounts());
		return new SeatStage(new LoadGuard((this.guard.equals("fixed")) ? fixed : adaptive, this.engine.nanos()),
				levels, Phase.LATE, false, this.engine::nanos);
	}

	@Benchmark
	public RequestProgress request() {
		RequestProgress progress = this.gate.enter(RuleScope.LATE, SentRequest.of(PATH), RequestProgress.START).join();
		progress.free(OK);
		return progress;
	}

}
