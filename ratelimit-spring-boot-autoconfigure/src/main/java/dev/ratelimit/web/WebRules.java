package dev.ratelimit.web;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import dev.ratelimit.Phase;
import dev.ratelimit.RuleMode;
import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.gate.GateRule;
import dev.ratelimit.gate.RuleObservations;
import dev.ratelimit.rule.InvalidRuleException;
import org.jspecify.annotations.Nullable;

import org.springframework.http.server.PathContainer;

/**
 * All active rules, compiled for requests. Immutable.
 */
final class WebRules {

	static final WebRules EMPTY = new WebRules(Map.of(), Map.of(), false);

	private final Map<String, WebRule> byId;

	/** Disabled rules, kept for their next activation. */
	private final Map<String, WebRule> disabled;

	private final PathIndex<WebRule> byPath;

	/**
	 * The rules of requests, without those of GraphQL operations, which filters do not
	 * evaluate.
	 */
	private final List<WebRule> requests;

	private final List<GateRule<GateRequest>> operations;

	private final boolean hasPaths;

	private final boolean replacing;

	private final boolean readForms;

	private final boolean readRoutes;

	private final boolean endsLate;

	private final boolean reserving;

	private WebRules(Map<String, WebRule> byId, Map<String, WebRule> disabled, boolean ignoresCase) {
		this.disabled = disabled;
		// Keeps the order, with lookups by hash instead of comparisons of ids.
		this.byId = new LinkedHashMap<>(byId);
		this.byPath = PathIndex.of(byId.values(), WebRule::paths, ignoresCase);
		this.operations = this.byId.values()
			.stream()
			.map(WebRule::rule)
			.filter((rule) -> rule.compiled().rule().graphQl().isPresent())
			.toList();
		this.requests = this.byId.values()
			.stream()
			.filter((rule) -> rule.compiled().rule().graphQl().isEmpty())
			.toList();
		this.hasPaths = this.requests.stream().anyMatch((rule) -> !rule.paths().isEmpty());
		this.replacing = this.requests.stream().anyMatch(WebRule::replaces);
		this.reserving = this.requests.stream().anyMatch(WebRule::reserves);
		this.readForms = this.requests.stream().anyMatch(WebRule::mayReadForm);
		this.readRoutes = this.requests.stream().anyMatch(WebRule::readsRoute);
		this.endsLate = this.requests.stream().anyMatch((rule) -> rule.phase() == Phase.LATE && rule.ends());
	}

	static WebRules of(Collection<CompiledRule> rules, WebRuleCompiler compiler, WebRules before) {
		Map<String, WebRule> byId = new TreeMap<>();
		Map<String, WebRule> disabled = new HashMap<>();
		for (CompiledRule rule : rules) {
			if (rule.rule().descriptor().isPresent()) {
				continue;
			}
			String id = rule.rule().id();
			WebRule existing = before.existing(rule);
			if (rule.rule().reaction().mode() != RuleMode.OFF) {
				byId.put(id, (existing != null) ? existing.in(rule) : compiler.compile(rule));
			}
			else if (existing != null) {
				disabled.put(id, existing);
			}
		}
		byId.values().forEach((rule) -> requireReplaceable(rule, byId));
		requireOneDecision(byId.values());
		return new WebRules(byId, disabled, !compiler.parser().isCaseSensitive());
	}

	private @Nullable WebRule existing(CompiledRule rule) {
		WebRule active = this.byId.get(rule.rule().id());
		WebRule existing = (active != null) ? active : this.disabled.get(rule.rule().id());
		return (existing != null && existing.compiled().differsInModeAtMost(rule)) ? existing : null;
	}

	// Spring Security responds to some requests, such as failed logins, between the
	// phases. A late rule does not apply to them, so it must not replace an early rule.
	private static void requireReplaceable(WebRule rule, Map<String, WebRule> byId) {
		String id = rule.compiled().rule().id();
		for (String replaced : rule.compiled().rule().reaction().replaces()) {
			WebRule other = byId.get(replaced);
			if (rule.phase() == Phase.LATE && other != null && other.phase() == Phase.EARLY) {
				throw new InvalidRuleException(rule.compiled().rule().location() + ".replaces", replaced,
						"'" + id + "' is evaluated after authentication and '" + replaced
								+ "' before it, so requests that Spring Security rejects, such as failed logins,"
								+ " would be limited by neither rule",
						"Set 'phase: late' on '" + replaced
								+ "' if it does not need to count failed logins, or 'phase: early'" + " on '" + id
								+ "' if its key does not require the principal, or remove 'replaces'.");
			}
		}
	}

	// A request that rules of one bucket match is charged once, which is only possible in
	// one decision.
	private static void requireOneDecision(Collection<WebRule> rules) {
		Map<String, List<WebRule>> byBucket = new HashMap<>();
		for (WebRule rule : rules) {
			rule.compiled()
				.rule()
				.numbers()
				.bucket()
				.ifPresent((name) -> byBucket.computeIfAbsent(name, (first) -> new ArrayList<>()).add(rule));
		}
		byBucket.forEach((name, sharing) -> {
			for (int i = 1; i < sharing.size(); i++) {
				for (WebRule other : sharing.subList(0, i)) {
					requireOneDecision(name, sharing.get(i), other);
				}
			}
		});
	}

	private static void requireOneDecision(String bucket, WebRule rule, WebRule other) {
		boolean phases = other.phase() != rule.phase();
		if ((phases || other.mayReadForm() != rule.mayReadForm()) && rule.mayMeet(other)) {
			throw new InvalidRuleException(rule.compiled().rule().location() + ".bucket", bucket,
					"'" + other.compiled().rule().id() + "' shares the bucket and is evaluated "
							+ ((phases) ? "in another phase"
									: "in another decision, because only one of the rules reads forms")
							+ ", so a request that both rules match would be charged twice",
					"Set the same 'phase', key, and cost, or remove 'bucket' from one of them.");
		}
	}

	/**
	 * Whether a rule depends on the level of requests.
	 * @return whether a rule reserves slots for important requests
	 */
	boolean reserving() {
		return this.reserving;
	}

	Map<String, WebRule> byId() {
		return this.byId;
	}

	// The rules of GraphQL operations, in the order of their ids.
	List<GateRule<GateRequest>> operations() {
		return this.operations;
	}

	/**
	 * The patterns of rules that may match a path, in the order of the rules' ids, and
	 * for each rule the most specific first.
	 * @param path the path
	 * @return the patterns
	 */
	List<PathEntry<WebRule>> candidates(PathContainer path) {
		return this.byPath.candidates(path);
	}

	boolean hasPaths() {
		return this.hasPaths;
	}

	// Includes rules that are off, so that their counts stay until they are on again.
	List<RuleObservations> watches() {
		return Stream.concat(this.byId.values().stream(), this.disabled.values().stream())
			.map((rule) -> rule.rule().watch())
			.toList();
	}

	boolean has(Phase phase) {
		return this.requests.stream().anyMatch((rule) -> rule.phase() == phase);
	}

	boolean readForms() {
		return this.readForms;
	}

	// Whether a rule depends on the handler that serves a request.
	boolean readRoutes() {
		return this.readRoutes;
	}

	// Whether a late rule may have actions at the end of a request.
	boolean endsLate() {
		return this.endsLate;
	}

	// Whether a rule may replace another one.
	boolean replacing() {
		return this.replacing;
	}

}
