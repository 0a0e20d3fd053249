package dev.ratelimit.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import dev.ratelimit.engine.DecisionObservers;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.engine.IdempotencySettings;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.engine.WaitQueues;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.store.StoreDeadlines;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.web.GateSettings;
import dev.ratelimit.web.HandlerRules;
import dev.ratelimit.web.IdempotencyKeys;
import dev.ratelimit.web.ManagementPaths;
import dev.ratelimit.web.RequestGate;
import dev.ratelimit.web.Resolvers;
import dev.ratelimit.web.RuleScope;
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
 * Measures requests at the gate in memory, from the path as sent to the decision. Either
 * one rule of the set applies, or no rule applies.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class MatchingBenchmark {

	private static final String NUMBER = "#";

	@Param({ "1", "100", "1000" })
	int rules;

	@Param({ "/api/v1/things-#/items", "/{tenant}/things-#/{item}" })
	String pattern;

	private final RateLimitEngine engine = new RateLimitEngine(new Editions(),
			new MemoryLimitStore(1_000_000, System::currentTimeMillis), StoreDeadlines.of(Duration.ofSeconds(1)),
			"secret", IdempotencySettings.DEFAULT, new DecisionObservers(List.of(), List.of()), Time.SYSTEM,
			WaitQueues.Factory.NONE);

	private final RequestGate gate = new RequestGate(this.engine,
			GateSettings.of(Resolvers.NONE, new IdempotencyKeys(Set.of(), false), ManagementPaths.NONE, false));

	private String limited = "";

	private String other = "";

	@Setup
	public void adoptRules() {
		this.gate.bind(HandlerRules.NONE, PathPatternParser.defaultInstance);
		this.engine.editions()
			.adopt(IntStream.range(0, this.rules)
				.mapToObj((number) -> BenchmarkRules.rule("rule-" + number,
						this.pattern.replace(NUMBER, Integer.toString(number)), "10000000/s"))
				.toList());
		this.limited = path(Integer.toString(this.rules / 2));
		this.other = path("other");
	}

	private String path(String number) {
		return this.pattern.replace(NUMBER, number).replace("{tenant}", "acme").replace("{item}", "42");
	}

	@Benchmark
	public RequestProgress oneRuleApplies() {
		return enter(this.limited);
	}

	@Benchmark
	public RequestProgress noRuleApplies() {
		return enter(this.other);
	}

	private RequestProgress enter(String path) {
		return this.gate.enter(RuleScope.LATE, SentRequest.of(path), RequestProgress.START).join();
	}

}
