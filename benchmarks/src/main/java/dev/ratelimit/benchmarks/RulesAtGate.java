package dev.ratelimit.benchmarks;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;

import dev.ratelimit.engine.DecisionObservers;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.engine.IdempotencySettings;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.engine.WaitQueues;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.rule.Rule;
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
import dev.ratelimit.web.response.HeaderFactory;
import dev.ratelimit.web.response.HeaderSettings;
import dev.ratelimit.web.response.Jitter;

import org.springframework.web.util.pattern.PathPatternParser;

/**
 * All objects that an application with HTTP compiles from its rules, with a store in
 * memory.
 */
final class RulesAtGate {

	private final RateLimitEngine engine = new RateLimitEngine(new Editions(),
			new MemoryLimitStore(1_000_000, System::currentTimeMillis), StoreDeadlines.of(Duration.ofSeconds(1)),
			"secret", IdempotencySettings.DEFAULT, new DecisionObservers(List.of(), List.of()), Time.SYSTEM,
			WaitQueues.Factory.NONE);

	private final RequestGate gate = new RequestGate(this.engine,
			GateSettings.of(Resolvers.NONE, new IdempotencyKeys(Set.of(), false), ManagementPaths.NONE, true));

	RulesAtGate() {
		this.gate.bind(HandlerRules.NONE, PathPatternParser.defaultInstance);
		editions().addListener(new HeaderFactory(InstantSource.system(), HeaderSettings.DEFAULT, Jitter.NONE)::follow);
	}

	Editions editions() {
		return this.engine.editions();
	}

	static Rule rule(int number, int quantity) {
		return BenchmarkRules.rule("rule-" + number, "/api/r" + number + "/**", quantity + "/min");
	}

	/**
	 * Send one request through both phases.
	 */
	RequestProgress send(SentRequest request) {
		RequestProgress early = this.gate.enter(RuleScope.EARLY, request, RequestProgress.START).join();
		return this.gate.enter(RuleScope.LATE, request, early).join();
	}

}
