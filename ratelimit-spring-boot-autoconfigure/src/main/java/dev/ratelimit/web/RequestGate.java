package dev.ratelimit.web;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.MissingKey;
import dev.ratelimit.Phase;
import dev.ratelimit.RequestView;
import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.engine.RetryKey;
import dev.ratelimit.engine.RuleUse;
import dev.ratelimit.engine.Tier;
import dev.ratelimit.rule.RuleSet;

import org.springframework.http.HttpHeaders;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Where requests are decided, alike on servlet and WebFlux: rules that match, whose
 * buckets, one decision a phase. Thread-safe.
 *
 * @since 0.1.0
 */
public final class RequestGate {

	private final RateLimitEngine engine;

	private final Resolvers resolvers;

	private final IdempotencyKeys idempotencyKeys;

	private final Exemptions exemptions;

	private final boolean phased;

	private volatile Snapshot snapshot = new Snapshot(WebRules.EMPTY, HandlerRules.NONE, false, false);

	/**
	 * A gate without rules yet.
	 * @param engine the engine
	 * @param resolvers the application's code that rules may name
	 * @param idempotencyKeys the reader of idempotency keys
	 * @param exemptions what is never counted
	 * @param phased whether there is an authentication between the phases; otherwise all
	 * rules are late
	 */
	public RequestGate(RateLimitEngine engine, Resolvers resolvers, IdempotencyKeys idempotencyKeys,
			Exemptions exemptions, boolean phased) {
		this.engine = engine;
		this.resolvers = resolvers;
		this.idempotencyKeys = idempotencyKeys;
		this.exemptions = exemptions;
		this.phased = phased;
	}

	/**
	 * Make the rules of a set ready, and decide by them from now on. The engine must have
	 * them already.
	 * @param rules the set
	 * @param handlers the rules of handler methods
	 * @param parser the parser of path patterns
	 */
	public void use(RuleSet rules, HandlerRules handlers, PathPatternParser parser) {
		List<CompiledRule> compiled = rules.rules()
			.keySet()
			.stream()
			.map(this.engine::rule)
			.flatMap(Optional::stream)
			.toList();
		WebRules ready = WebRules.of(compiled, this.resolvers, this.phased, parser);
		this.snapshot = new Snapshot(ready, handlers, ready.has(Phase.EARLY), ready.has(Phase.LATE));
	}

	/**
	 * Whether a phase has anything to decide.
	 * @param phase early or late
	 * @return whether there are rules
	 */
	public boolean has(Phase phase) {
		return (phase == Phase.EARLY) ? this.snapshot.early : this.snapshot.late;
	}

	/**
	 * Whether no other phase decides after this one, so that a request which a limit
	 * holds waits here.
	 * @param phase early or late
	 * @return whether the phase is the last
	 */
	public boolean isLast(Phase phase) {
		return !this.snapshot.hasAfter(phase);
	}

	/**
	 * Decide a request in one phase.
	 * @param phase early or late
	 * @param request the request
	 * @param sofar how far the request has come in the phase before
	 * @return how far it is now
	 */
	public CompletableFuture<Passage> enter(Phase phase, GateRequest request, Passage sofar) {
		return pass(phase, request, sofar.entering());
	}

	private CompletableFuture<Passage> pass(Phase phase, GateRequest request, Passage sofar) {
		Snapshot current = this.snapshot;
		if (isPreflight(request) || this.exemptions.covers(request)) {
			return CompletableFuture.completedFuture(sofar);
		}
		HandlerIndex index = current.handlers.index();
		Lookup known = sofar.lookup();
		if (known != null && known.answers(index, request)) {
			return decide(request, sofar, matches(current, phase, request, known.served()));
		}
		CompletableFuture<Optional<HandlerIndex.Served>> found = index.find(request);
		// Most indices tell at once.
		return (found.isDone() && !found.isCompletedExceptionally())
				? found(current, phase, request, sofar, found.join())
				: found.thenCompose((served) -> found(current, phase, request, sofar, served));
	}

	private CompletableFuture<Passage> found(Snapshot current, Phase phase, GateRequest request, Passage sofar,
			Optional<HandlerIndex.Served> served) {
		boolean again = current.hasAfter(phase);
		Passage knowing = (again) ? sofar.knowing(Lookup.of(current.handlers.index(), request, served)) : sofar;
		return decide(request, knowing, matches(current, phase, request, served));
	}

	// What replaces a rule may belong to another phase, so the phases are told apart
	// last.
	private static List<MatchedRule> matches(Snapshot current, Phase phase, GateRequest request,
			Optional<HandlerIndex.Served> served) {
		List<MatchedRule> matches = new ArrayList<>(4);
		List<String> named = served.map((handler) -> current.handlers.rules(handler.handler())).orElse(List.of());
		for (String id : named) {
			WebRule rule = current.rules.byId().get(id);
			if (rule != null && current.asks(rule, phase)) {
				matches.add(new MatchedRule(rule, served.get().pattern(), served.get().path()));
			}
		}
		PathContainer path = request.parsedPath();
		for (WebRule rule : current.rules.byPath()) {
			if (current.asks(rule, phase) && !named.contains(rule.compiled().rule().id())) {
				PathPattern pattern = rule.match(request.method(), path);
				if (pattern != null) {
					matches.add(new MatchedRule(rule, pattern, path));
				}
			}
		}
		return (current.rules.replacing()) ? remaining(matches, phase) : matches;
	}

	private static List<MatchedRule> remaining(List<MatchedRule> matches, Phase phase) {
		Set<String> replaced = new HashSet<>();
		for (MatchedRule match : matches) {
			if (match.rule().replaces()) {
				replaced.addAll(match.rule().compiled().rule().replaces());
			}
		}
		return matches.stream()
			.filter((match) -> match.rule().phase() == phase && !replaced.contains(match.rule().compiled().rule().id()))
			.toList();
	}

	private CompletableFuture<Passage> decide(GateRequest request, Passage sofar, List<MatchedRule> matches) {
		List<RuleUse> uses = new ArrayList<>(matches.size());
		boolean retriable = false;
		for (MatchedRule match : matches) {
			CompiledRule rule = match.rule().compiled();
			String subject = match.subject(request);
			if (subject != null) {
				Tier tier = tier(rule, request);
				uses.add(new RuleUse(rule, tier, subject, match.rule().cost().cost(request, tier)));
				retriable |= rule.rule().idempotency();
			}
			else if (rule.rule().onMissingKey() == MissingKey.DENY) {
				return CompletableFuture
					.completedFuture(sofar.decided(this.engine.keyMissing(rule), 0, Completion.NONE));
			}
		}
		if (uses.isEmpty()) {
			return CompletableFuture.completedFuture(sofar);
		}
		Optional<RetryKey> retry = (retriable) ? this.idempotencyKeys.read(request) : Optional.empty();
		return decide(uses, retry, sofar);
	}

	private CompletableFuture<Passage> decide(List<RuleUse> uses, Optional<RetryKey> retry, Passage sofar) {
		long startNanos = System.nanoTime();
		long budgetNanos = this.engine.deadline().toNanos() - sofar.spentNanos();
		return this.engine.decide(uses, retry, budgetNanos)
			.thenApply((decision) -> sofar.decided(decision, System.nanoTime() - startNanos,
					Completion.of(decision, uses)));
	}

	private Tier tier(CompiledRule rule, RequestView request) {
		if (rule.plans().isEmpty()) {
			return rule.own();
		}
		Optional<String> plan = this.resolvers.plan().flatMap((resolver) -> resolver.plan(request));
		Optional<Tier> tier = plan.flatMap(rule::plan);
		if (plan.isPresent() && tier.isEmpty()) {
			this.engine.planUnknown(rule);
		}
		return tier.orElse(rule.own());
	}

	private static boolean isPreflight(GateRequest request) {
		return request.method().equals("OPTIONS") && !request.headers(HttpHeaders.ORIGIN).isEmpty()
				&& !request.headers(HttpHeaders.ACCESS_CONTROL_REQUEST_METHOD).isEmpty();
	}

	private record Snapshot(WebRules rules, HandlerRules handlers, boolean early, boolean late) {

		boolean asks(WebRule rule, Phase phase) {
			return rule.phase() == phase || this.rules.replacing();
		}

		boolean hasAfter(Phase phase) {
			return phase == Phase.EARLY && this.late;
		}

	}

}
