package dev.ratelimit.web;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.KeyResolver;
import dev.ratelimit.MissingKey;
import dev.ratelimit.Phase;
import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.engine.RetryKey;
import dev.ratelimit.engine.RuleUse;
import dev.ratelimit.engine.Subjects;
import dev.ratelimit.rule.RuleSet;
import org.jspecify.annotations.Nullable;

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

	private final SubjectParts parts;

	private final IdempotencyKeys idempotencyKeys;

	private final Exemptions exemptions;

	private final boolean phased;

	private volatile Snapshot snapshot = new Snapshot(WebRules.EMPTY, HandlerRules.NONE, false, false);

	/**
	 * A gate without rules yet.
	 * @param engine the engine
	 * @param resolvers the beans that keys may name
	 * @param idempotencyKeys the reader of idempotency keys
	 * @param exemptions what is never counted
	 * @param phased whether there is an authentication between the phases; otherwise all
	 * rules are late
	 */
	public RequestGate(RateLimitEngine engine, Map<String, KeyResolver> resolvers, IdempotencyKeys idempotencyKeys,
			Exemptions exemptions, boolean phased) {
		this.engine = engine;
		this.parts = new SubjectParts(resolvers);
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
		WebRules ready = WebRules.of(compiled, this.parts, this.phased, parser);
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
	 * Decide a request in one phase.
	 * @param phase early or late
	 * @param request the request
	 * @param sofar how far the request has come in the phase before
	 * @return how far it is now
	 */
	public CompletableFuture<Passage> enter(Phase phase, GateRequest request, Passage sofar) {
		Snapshot current = this.snapshot;
		if (isPreflight(request) || this.exemptions.covers(request)) {
			return CompletableFuture.completedFuture(sofar);
		}
		HandlerIndex index = current.handlers.index();
		Lookup known = sofar.lookup();
		if (known != null && known.answers(index, request)) {
			return decide(phase, request, sofar, matches(current, phase, request, known.served()));
		}
		return index.find(request)
			.thenCompose((served) -> decide(phase, request,
					(current.hasAfter(phase)) ? sofar.knowing(Lookup.of(index, request, served)) : sofar,
					matches(current, phase, request, served)));
	}

	private List<MatchedRule> matches(Snapshot current, Phase phase, GateRequest request,
			Optional<HandlerIndex.Served> served) {
		List<MatchedRule> matches = new ArrayList<>(4);
		List<String> named = served.map((handler) -> current.handlers.rules(handler.handler())).orElse(List.of());
		for (String id : named) {
			WebRule rule = current.rules.byId().get(id);
			if (rule != null && rule.phase() == phase) {
				matches.add(new MatchedRule(rule, served.get().pattern(), served.get().path()));
			}
		}
		PathContainer path = request.parsedPath();
		for (WebRule rule : current.rules.byPath()) {
			if (rule.phase() == phase && !named.contains(rule.compiled().rule().id())) {
				PathPattern pattern = rule.match(request.method(), path);
				if (pattern != null) {
					matches.add(new MatchedRule(rule, pattern, path));
				}
			}
		}
		return matches;
	}

	private CompletableFuture<Passage> decide(Phase phase, GateRequest request, Passage sofar,
			List<MatchedRule> matches) {
		List<RuleUse> uses = new ArrayList<>(matches.size());
		boolean retriable = false;
		for (MatchedRule match : matches) {
			CompiledRule rule = match.rule().compiled();
			String subject = subject(request, match);
			if (subject != null) {
				uses.add(new RuleUse(rule, subject, rule.rule().cost()));
				retriable |= rule.rule().idempotency();
			}
			else if (rule.rule().onMissingKey() == MissingKey.DENY) {
				return CompletableFuture.completedFuture(sofar.decided(this.engine.keyMissing(rule), 0));
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
			.thenApply((decision) -> sofar.decided(decision, System.nanoTime() - startNanos));
	}

	// Null means that the rule does not apply, or must be refused.
	private static @Nullable String subject(GateRequest request, MatchedRule match) {
		List<WebRule.SubjectPart> key = match.rule().key();
		if (key.size() == 1) {
			return part(request, match, 0);
		}
		List<String> parts = new ArrayList<>(key.size());
		for (int i = 0; i < key.size(); i++) {
			String part = part(request, match, i);
			if (part == null) {
				return null;
			}
			parts.add(part);
		}
		return Subjects.join(parts);
	}

	private static @Nullable String part(GateRequest request, MatchedRule match, int index) {
		Optional<String> found = match.rule().key().get(index).find(request, match);
		if (found.isPresent()) {
			return found.get();
		}
		return switch (match.rule().compiled().rule().onMissingKey()) {
			case SHARED -> Subjects.missing(match.rule().compiled().rule().key().get(index).kind().word());
			case IP -> SubjectParts.ip(request).orElseThrow();
			case SKIP, DENY -> null;
		};
	}

	private static boolean isPreflight(GateRequest request) {
		return request.method().equals("OPTIONS") && !request.headers(HttpHeaders.ORIGIN).isEmpty()
				&& !request.headers(HttpHeaders.ACCESS_CONTROL_REQUEST_METHOD).isEmpty();
	}

	private record Snapshot(WebRules rules, HandlerRules handlers, boolean early, boolean late) {

		boolean hasAfter(Phase phase) {
			return phase == Phase.EARLY && this.late;
		}

	}

}
