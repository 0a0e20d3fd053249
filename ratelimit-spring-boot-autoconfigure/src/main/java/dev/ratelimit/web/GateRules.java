package dev.ratelimit.web;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import dev.ratelimit.Criticality.Level;
import dev.ratelimit.Phase;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.engine.CompiledLimits;
import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.engine.Edition;
import dev.ratelimit.gate.GateRule;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.rule.Exemption;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.Waiting;
import org.jspecify.annotations.Nullable;

import org.springframework.http.server.PathContainer;

/**
 * Internal: the rules of one edition that a gate applies, and the selection of those that
 * apply to a request. Immutable.
 *
 * @param start the initial progress of requests of this edition
 * @param rules the compiled rules
 * @param handlers the rules that handlers reference
 * @param early whether any rule is evaluated early
 * @param late whether any rule is evaluated late
 */
public record GateRules(RequestProgress start, WebRules rules, HandlerRules handlers, boolean early, boolean late) {

	static final GateRules EMPTY = new GateRules(RequestProgress.START, WebRules.EMPTY, HandlerRules.NONE, false,
			false);

	static GateRules of(Edition edition, WebRules rules, HandlerRules handlers) {
		WaitCheck.check(edition.compiled().values(), handlers);
		return new GateRules(RequestProgress.in(edition), rules, handlers, rules.has(Phase.EARLY),
				rules.has(Phase.LATE));
	}

	/**
	 * Return the rules of GraphQL operations.
	 * @return the rules in the order of their ids
	 */
	public List<GateRule<GateRequest>> operations() {
		return this.rules.operations();
	}

	/**
	 * Return the same rules, with a first phase even if it has no rules, to reject denied
	 * addresses.
	 * @param phased whether authentication runs between the phases
	 * @return the rules
	 */
	GateRules withDeniedAddresses(boolean phased) {
		return new GateRules(this.start, this.rules, this.handlers, this.early || phased, this.late || !phased);
	}

	/**
	 * Return the same rules, with the phase in which the load guard sheds requests.
	 * @param load the stage of the load guard
	 * @return the rules
	 */
	GateRules guarded(LoadStage load) {
		return new GateRules(this.start, this.rules, this.handlers, this.early || load.isOf(Phase.EARLY),
				this.late || load.isOf(Phase.LATE));
	}

	boolean has(Phase phase) {
		return (phase == Phase.EARLY) ? this.early : this.late;
	}

	boolean hasAfter(Phase phase) {
		return phase == Phase.EARLY && this.late;
	}

	// Whether no other phase of these rules precedes.
	boolean isFirst(Phase phase) {
		return phase == Phase.EARLY || !this.early;
	}

	/**
	 * Return the rules that apply to a request in one phase. An early rule may replace a
	 * late one, so the phases are split last.
	 * @param phase early or late
	 * @param request the request
	 * @param served the handler with rules that serves it, if there is one
	 * @return the rules, those of the handler first
	 */
	List<MatchedRule> matches(Phase phase, GateRequest request, Optional<HandlerIndex.Served> served) {
		if (!this.rules.replacing()) {
			return matching(phase, request, served);
		}
		return matches(request, served).stream().filter((match) -> match.web().phase() == phase).toList();
	}

	/**
	 * Return the rules of both phases that apply to a request.
	 * @param request the request
	 * @param served the handler with rules that serves it, if there is one
	 * @return the rules, those of the handler first
	 */
	public List<MatchedRule> matches(GateRequest request, Optional<HandlerIndex.Served> served) {
		return withoutReplaced(matching(null, request, served), served);
	}

	/**
	 * Return the rules that a front references, except disabled and replaced ones.
	 * @param named the names
	 * @param request the request
	 * @return the rules, in the order of their names
	 */
	List<MatchedRule> matches(NamedRules named, GateRequest request) {
		List<MatchedRule> matches = new ArrayList<>(named.ids().size());
		for (String id : named.ids()) {
			WebRule rule = this.rules.byId().get(id);
			if (rule != null) {
				matches.add(MatchedRule.of(rule, request.parsedPath(), named));
			}
		}
		return (this.rules.replacing()) ? withoutReplaced(matches, Optional.empty()) : matches;
	}

	/**
	 * Return the rules that match a request by path or handler, including replaced ones.
	 * @param phase early or late, or both if there is none
	 * @param request the request
	 * @param served the handler with rules that serves it, if there is one
	 * @return the rules, those of the handler first
	 */
	List<MatchedRule> matching(@Nullable Phase phase, GateRequest request, Optional<HandlerIndex.Served> served) {
		PathContainer normalized = (this.rules.hasPaths()) ? request.normalizedPath() : null;
		Exemption exempt = served.map((handler) -> this.handlers.exemption(handler.handler())).orElse(Exemption.NONE);
		if (exempt.all() && normalized == null) {
			return List.of();
		}
		List<String> named = served.map((handler) -> this.handlers.rules(handler.handler())).orElse(List.of());
		PathMatching matching = new PathMatching(this.rules, phase, request.method(), named);
		List<MatchedRule> byPath = (normalized != null)
				? matching.by(request.parsedPath(), exempt, normalized, exemption(normalized, served, exempt))
				: matching.by(request.parsedPath(), exempt);
		return (named.isEmpty()) ? byPath : withNamed(phase, named, served.orElseThrow(), byPath);
	}

	/**
	 * Find the handler that serves a request.
	 * @param request the request
	 * @return the handler, if it has rules or a level
	 */
	public CompletableFuture<Optional<HandlerIndex.Served>> served(GateRequest request) {
		return this.handlers.index().find(request);
	}

	/**
	 * Find the routes of a request.
	 * @param matches the rules that apply to it
	 * @param request the request
	 * @return the same rules, with the route that they charge
	 */
	public CompletableFuture<List<MatchedRule>> routed(List<MatchedRule> matches, GateRequest request) {
		return (readRoute(matches)) ? this.handlers.index().findRoute(request).thenApply((route) -> on(route, matches))
				: CompletableFuture.completedFuture(matches);
	}

	boolean readRoute(List<MatchedRule> matches) {
		return this.rules.readRoutes() && matches.stream().anyMatch((match) -> match.web().readsRoute());
	}

	static List<MatchedRule> on(Optional<String> route, List<MatchedRule> matches) {
		return matches.stream().map((match) -> match.servedBy(route)).toList();
	}

	/**
	 * Return the level of a request.
	 * @param levels finds the level
	 * @param request the request
	 * @param served the handler with rules or a level that serves it, if there is one
	 * @return its level
	 */
	Level level(Levels levels, GateRequest request, Optional<HandlerIndex.Served> served) {
		return levels.of(request, this.handlers.level(served)).requiredLevel();
	}

	/**
	 * Return the limits of a request by its level.
	 * @param levels finds its level
	 * @param request the request
	 * @param served the handler with rules or a level that serves it, if there is one
	 * @return a function that selects the limits of the level
	 */
	UnaryOperator<CompiledLimits> limits(Levels levels, GateRequest request, Optional<HandlerIndex.Served> served) {
		Level level = level(levels, request, served);
		return (limits) -> limits.of(level);
	}

	/**
	 * Return whether handlers set a level for their requests.
	 * @param level the level
	 * @return whether a handler is annotated with it
	 */
	boolean annotate(Level level) {
		return this.handlers.levels().containsValue(level);
	}

	// The rules of the handler are first.
	private List<MatchedRule> withNamed(@Nullable Phase phase, List<String> ids, HandlerIndex.Served served,
			List<MatchedRule> others) {
		List<MatchedRule> matches = new ArrayList<>(ids.size() + others.size());
		for (String id : ids) {
			WebRule rule = this.rules.byId().get(id);
			if (rule != null && (phase == null || rule.phase() == phase)) {
				matches.add(new MatchedRule(rule, served.pattern(), served.path()));
			}
		}
		matches.addAll(others);
		return matches;
	}

	// The handler serves the original path. Its exemption applies to the normalized path
	// only if its pattern also matches that path.
	private static Exemption exemption(PathContainer normalized, Optional<HandlerIndex.Served> served,
			Exemption exempt) {
		return (served.isPresent() && !served.get().pattern().matches(normalized)) ? Exemption.NONE : exempt;
	}

	/**
	 * Return whether a rule is evaluated in the late phase.
	 * @param id the rule
	 * @return whether it is; also for a rule that applies to no requests
	 */
	public boolean isLate(String id) {
		WebRule rule = this.rules.byId().get(id);
		return rule == null || rule.phase() == Phase.LATE;
	}

	/**
	 * Return the rules that apply, except those that others replace. A rule with paths
	 * only replaces others if they match the same path: a request may be served under a
	 * path other than the original one, in which case the rules of both paths apply.
	 * @param matches the rules that match the request, by path or handler
	 * @param served the handler with rules that serves it, if there is one
	 * @return the remaining rules
	 */
	List<MatchedRule> withoutReplaced(List<MatchedRule> matches, Optional<HandlerIndex.Served> served) {
		List<MatchedRule> replacing = matches.stream().filter((match) -> match.web().replaces()).toList();
		if (replacing.isEmpty()) {
			return matches;
		}
		List<String> named = served.map((handler) -> this.handlers.rules(handler.handler())).orElse(List.of());
		return matches.stream()
			.filter((match) -> replacing.stream()
				.noneMatch((other) -> other.replaces(match)
						&& (named.contains(other.id()) || other.path().equals(match.path()))))
			.toList();
	}

	/**
	 * Matches one request with the rules that apply by paths.
	 *
	 * @param rules the rules
	 * @param phase early or late, or both if there is none
	 * @param method the request's method
	 * @param named the ids of rules that apply by the handler, without a path
	 */
	private record PathMatching(WebRules rules, @Nullable Phase phase, String method, List<String> named) {

		private static final Comparator<MatchedRule> BY_ID = Comparator.comparing(MatchedRule::id);

		/**
		 * Return the rules that apply by one path.
		 * @param path the path
		 * @param exempt the exemptions of the path
		 * @return the rules, in the order of their ids
		 */
		List<MatchedRule> by(PathContainer path, Exemption exempt) {
			List<PathEntry<WebRule>> candidates = this.rules.candidates(path);
			if (candidates.isEmpty() || exempt.all()) {
				return List.of();
			}
			List<MatchedRule> matches = new ArrayList<>(Math.min(candidates.size(), 4));
			WebRule last = null;
			for (int i = 0; i < candidates.size(); i++) {
				PathEntry<WebRule> candidate = candidates.get(i);
				WebRule rule = candidate.value();
				if (rule != last && concerns(rule, exempt) && rule.matches(candidate.pattern(), this.method, path)) {
					matches.add(new MatchedRule(rule, candidate.pattern(), path));
					last = rule;
				}
			}
			return matches;
		}

		/**
		 * Return the rules that apply by either of two paths. A request may be served
		 * under a path other than the original one. The rules of both paths apply,
		 * because the path is not known here.
		 * @param path the original path
		 * @param exempt the exemptions of the path
		 * @param normalized the normalized path
		 * @param normalizedExempt the exemptions of the normalized path
		 * @return the rules, in the order of their ids; two matches of one rule are
		 * consecutive
		 */
		List<MatchedRule> by(PathContainer path, Exemption exempt, PathContainer normalized,
				Exemption normalizedExempt) {
			List<MatchedRule> matches = new ArrayList<>(by(path, exempt));
			matches.addAll(by(normalized, normalizedExempt));
			matches.sort(BY_ID);
			return matches;
		}

		private boolean concerns(WebRule rule, Exemption exempt) {
			return (this.phase == null || rule.phase() == this.phase) && !this.named.contains(rule.id())
					&& !exempt.covers(rule.id());
		}

	}

	/**
	 * Rejects rules with a leaky bucket and {@code wait}, because a leaky bucket itself
	 * delays allowed requests.
	 */
	private static final class WaitCheck {

		private WaitCheck() {
		}

		static void check(Collection<CompiledRule> rules, HandlerRules handlers) {
			// Bean methods that are not handlers may use both.
			Set<String> named = handlers.byHandler()
				.entrySet()
				.stream()
				.filter((handler) -> handler.getKey() instanceof HandlerKey)
				.flatMap((handler) -> handler.getValue().stream())
				.collect(Collectors.toSet());
			for (CompiledRule compiled : rules) {
				Rule rule = compiled.rule();
				boolean reachable = !rule.match().paths().isEmpty() || named.contains(rule.id());
				if (reachable && rule.limits().stream().anyMatch((limit) -> Algorithms.of(limit).holdsRequests())) {
					rule.reaction().waiting().ifPresent((waiting) -> reject(rule, waiting));
				}
			}
		}

		private static void reject(Rule rule, Waiting waiting) {
			throw new InvalidRuleException(rule.location() + ".wait", waiting.toString(),
					"the algorithm of the rule makes requests wait itself", "Remove 'wait', or use another algorithm.");
		}

	}

}
