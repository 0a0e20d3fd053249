package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.Decision;
import dev.ratelimit.Phase;
import dev.ratelimit.Source;
import dev.ratelimit.address.ClientAddresses;
import dev.ratelimit.base.WallClock;
import dev.ratelimit.engine.AppliedRule;
import dev.ratelimit.engine.DecisionObservers;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.engine.IdempotencySettings;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.engine.WaitQueues;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.rule.KeyPart;
import dev.ratelimit.rule.LimitDefinition;
import dev.ratelimit.rule.LimitSetDefinition;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleDefinition;
import dev.ratelimit.rule.RuleLayers;
import dev.ratelimit.rule.RuleOptions;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.store.StoreDeadlines;
import dev.ratelimit.store.Time;
import dev.ratelimit.web.ExplainRequest;
import dev.ratelimit.web.GateSettings;
import dev.ratelimit.web.HandlerRules;
import dev.ratelimit.web.IdempotencyKeys;
import dev.ratelimit.web.ManagementPaths;
import dev.ratelimit.web.RequestGate;
import dev.ratelimit.web.Resolvers;
import dev.ratelimit.web.RuleScope;
import dev.ratelimit.web.SimulatedRequest;
import dev.ratelimit.web.response.HeaderFactory;
import dev.ratelimit.web.response.HeaderSettings;
import dev.ratelimit.web.response.Jitter;
import dev.ratelimit.web.response.ProblemTexts;
import dev.ratelimit.web.response.RejectionFactory;
import dev.ratelimit.web.response.RejectionStatus;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.util.ClassUtils;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Repeats the path of a decision in the background until it is fast: the first calls of a
 * fresh JVM take longer than the deadline. It uses separate rules, buckets, stages, and a
 * separate engine. It ends early if the store does not respond.
 */
final class WarmUp implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(WarmUp.class);

	private static final boolean WEB = ClassUtils.isPresent("org.springframework.web.util.pattern.PathPatternParser",
			WarmUp.class.getClassLoader());

	private static final int FAST_CALLS = 20;

	/** A fast call takes at most this part of the deadline. */
	private static final int PART_OF_DEADLINE = 5;

	/** Rules of applications cannot have an id that starts with a dash. */
	private static final String ALLOWED = "-warm-up";

	private static final String REJECTED = "-warm-up-rejected";

	private static final RuleSet RULES = RuleSet.EMPTY
		.next(List.of(rule(ALLOWED, "/", 1000), rule(REJECTED, "/rejected", 1)));

	/** An address of the network for benchmarks (RFC 2544), which no client has. */
	private final String address = "198.18." + ThreadLocalRandom.current().nextInt(256) + "."
			+ ThreadLocalRandom.current().nextInt(256);

	private final String subject = "ip:" + this.address;

	private final StoreStages.Chain stages;

	private final Time time;

	private final RateLimitEngine engine;

	private final Caller caller;

	private final long fastNanos;

	private final long untilNanos;

	private final CompletableFuture<Void> ended = new CompletableFuture<>();

	private final Thread thread = new Thread(this::run, "ratelimit-warm-up");

	/**
	 * Create and start a warm-up.
	 * @param stages separate stages, which the warm-up closes at the end
	 * @param properties the properties
	 * @param time the time
	 */
	WarmUp(StoreStages.Chain stages, RateLimitProperties properties, Time time) {
		this.stages = stages;
		this.time = time;
		this.fastNanos = properties.deadline().toNanos() / PART_OF_DEADLINE;
		this.untilNanos = this.time.nanos() + properties.warmUp().toNanos();
		this.engine = new RateLimitEngine(new Editions(time), stages.first(), StoreDeadlines.of(properties.warmUp()),
				ALLOWED, new IdempotencySettings(Duration.ofSeconds(1), 1, 1),
				new DecisionObservers(List.of(), List.of()), time, WaitQueues.Factory.NONE);
		this.engine.editions().adopt(RULES.rules().values());
		this.caller = (WEB) ? Web.caller(this.engine, properties, this.address) : this::decide;
		this.thread.setDaemon(true);
		this.thread.start();
	}

	/**
	 * Return the end of the warm-up.
	 * @return a future that completes when the warm-up has ended
	 */
	CompletableFuture<Void> ended() {
		return this.ended;
	}

	private void run() {
		long startNanos = this.time.nanos();
		try {
			int calls = warmUp();
			reset();
			logger.debug("Warmed up by " + calls + " calls in "
					+ TimeUnit.NANOSECONDS.toMillis(this.time.nanos() - startNanos) + " ms");
		}
		catch (RuntimeException ex) {
			// Real requests will have the same failure, and log it.
			logger.debug("The warm-up ended early", ex);
		}
		finally {
			this.stages.close();
			this.ended.complete(null);
		}
	}

	private void reset() {
		CompletableFuture.allOf(this.engine.reset(ALLOWED, this.subject), this.engine.reset(REJECTED, this.subject))
			.join();
	}

	private int warmUp() {
		int calls = 0;
		int fast = 0;
		boolean answered = true;
		while (answered && fast < FAST_CALLS && goesOn()) {
			long startNanos = this.time.nanos();
			Decision decision = this.caller.call(ALLOWED, "/");
			fast = (this.time.nanos() - startNanos <= this.fastNanos) ? fast + 1 : 0;
			answered = decision.source() == Source.REMOTE;
			decision.reservation().cancel();
			this.caller.call(REJECTED, "/rejected");
			fallBack();
			calls++;
		}
		return calls;
	}

	private boolean goesOn() {
		return this.time.nanos() - this.untilNanos < 0 && !Thread.currentThread().isInterrupted();
	}

	// Without remaining time, the stages respond without a call of the store.
	private void fallBack() {
		decide(ALLOWED, 0);
	}

	private Decision decide(String id, String path) {
		return decide(id, this.fastNanos);
	}

	private Decision decide(String id, long budgetNanos) {
		AppliedRule use = AppliedRule.of(this.engine.rule(id).orElseThrow(), this.subject, 1);
		return this.engine.decide(List.of(use), Optional.empty(), budgetNanos).join();
	}

	@Override
	public void close() {
		this.thread.interrupt();
	}

	private static Rule rule(String id, String path, long quantity) {
		LimitSetDefinition limits = new LimitSetDefinition(List.of(LimitDefinition.of(quantity + "/s")),
				OptionalLong.empty(), Optional.empty());
		return RuleLayers.inCode(id,
				new RuleDefinition(new Rule.Match(List.of(path), List.of(), List.of()), List.of(KeyPart.Kind.IP.word()),
						limits, Map.of(), RuleOptions.EMPTY.with(RuleOptions.PHASE, Phase.LATE)));
	}

	/**
	 * Sends a request under one of the rules.
	 */
	@FunctionalInterface
	private interface Caller {

		Decision call(String id, String path);

	}

	/**
	 * Loaded only if the web classes are on the class path.
	 */
	private static final class Web {

		static Caller caller(RateLimitEngine engine, RateLimitProperties properties, String address) {
			GateRehearsal gate = new GateRehearsal(engine, properties.headers().settings());
			return (id, path) -> gate.call(path, address);
		}

	}

	/**
	 * Sends simulated requests through a separate gate, and makes the header fields and
	 * the bodies of their responses, so that the code is loaded and compiled before real
	 * requests need it. Does not run code of the application, and does not notify
	 * listeners.
	 */
	private static final class GateRehearsal {

		private final RequestGate gate;

		private final HeaderFactory headers;

		private final RejectionFactory rejections;

		/**
		 * Create a rehearsal.
		 * @param engine a separate engine, with rules by path and client address
		 * @param headers the header fields of responses
		 */
		GateRehearsal(RateLimitEngine engine, HeaderSettings headers) {
			this.gate = new RequestGate(engine,
					GateSettings.of(Resolvers.NONE, new IdempotencyKeys(Set.of(), false), ManagementPaths.NONE, false));
			this.gate.bind(HandlerRules.NONE, PathPatternParser.defaultInstance);
			this.headers = new HeaderFactory(WallClock.system().source(), headers, Jitter.NONE);
			this.headers.follow(engine.editions().current());
			this.rejections = new RejectionFactory(new RejectionStatus(engine.editions()), this.headers,
					ProblemTexts.ENGLISH, (rejection, request) -> rejection, engine.requests());
		}

		/**
		 * Decide one request, and make the header fields and the body of its response.
		 * Blocks until the store responds.
		 * @param path the path
		 * @param address the client's address
		 * @return the decision
		 */
		Decision call(String path, String address) {
			ExplainRequest explainRequest = new ExplainRequest("GET", path,
					Map.of("Accept", List.of("application/json")), address, Optional.empty(), Optional.empty());
			SimulatedRequest request = new SimulatedRequest(explainRequest,
					(simulated) -> CompletableFuture.completedFuture(Optional.empty()),
					(simulated) -> CompletableFuture.completedFuture(Optional.empty()), ClientAddresses.OF_PEER);
			RequestProgress progress = this.gate.enter(RuleScope.LATE, request, RequestProgress.START).join();
			if (progress.allowed()) {
				this.headers.fields(progress);
			}
			else {
				this.rejections.rejected(progress, request, path);
			}
			return progress.decision();
		}

	}

}
