package dev.ratelimit.web;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.MissingKeyPolicy;
import dev.ratelimit.Phase;
import dev.ratelimit.PlanResolver;
import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.gate.GateRule;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.KeyPart;
import dev.ratelimit.rule.Rule;

import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import org.springframework.web.util.pattern.PatternParseException;

/**
 * Makes rules ready for requests, and rejects those that no request could meet.
 *
 * @param parts makes the functions that find keys
 * @param costs makes the functions that find costs
 * @param plan finds the plan of a client, if anything does
 * @param callers who clients are
 * @param phased whether there is an authentication between the phases
 * @param levelsByPrincipal whether the principal may tell how important a request is
 * @param parser the parser of path patterns
 * @param observer observes requests
 */
record WebRuleCompiler(SubjectParts parts, CostFunctions costs, Optional<PlanResolver> plan, Callers callers,
		boolean phased, boolean levelsByPrincipal, PathPatternParser parser, RequestObserver observer) {

	static WebRuleCompiler of(GateSettings settings, PathPatternParser parser) {
		Resolvers resolvers = settings.resolvers();
		return new WebRuleCompiler(new SubjectParts(resolvers.keys(), settings.callers().claims()),
				new CostFunctions(resolvers.costs()), resolvers.plan(), settings.callers(), settings.phased(),
				settings.levelsByPrincipal(), parser, settings.observer());
	}

	WebRule compile(CompiledRule compiled) {
		Rule rule = compiled.rule();
		List<PathPattern> paths = patterns(rule, "paths", rule.match().paths());
		requireVariables(rule, paths);
		Phase phase = phase(rule);
		GateRule<GateRequest> ready = new GateRule<>(compiled,
				rule.key().parts().stream().map((part) -> this.parts.part(rule, part)).toList(), this.costs.of(rule),
				this.callers.of(rule, phase), this.observer.watch(rule), this.parts.flow(rule), MissingKeyPolicy.IP);
		return new WebRule(ready, paths, patterns(rule, "except-paths", rule.match().exceptPaths()),
				rule.match().methods(), phase);
	}

	private Phase phase(Rule rule) {
		boolean needsPrincipal = planNeedsPrincipal(rule) || this.parts.needsPrincipal(rule)
				|| this.costs.needsPrincipal(rule) || !rule.access().bypassAuthorities().isEmpty()
				|| (this.levelsByPrincipal && rule.numbers().reserves());
		if (!this.phased) {
			return Phase.LATE;
		}
		if (rule.reaction().phase() == Phase.EARLY && needsPrincipal) {
			throw new InvalidRuleException(property(rule, "phase"), "early", "the rule's key " + rule.key()
					+ ", cost, plans, 'bypass-authorities', or 'reserve' require the principal, which is unknown before"
					+ " authentication",
					"Remove 'phase', or use a key that does not require the principal, such as 'ip'.");
		}
		return switch (rule.reaction().phase()) {
			case EARLY -> Phase.EARLY;
			case LATE -> Phase.LATE;
			// One decision then covers the shared limit and the client's own: a request
			// that the client's own limit rejects takes nothing from all the others.
			// Who waits should not wait before it is known who it is.
			case AUTO -> (needsPrincipal || rule.sharedByAllClients() || rule.reaction().waiting().isPresent())
					? Phase.LATE : Phase.EARLY;
		};
	}

	private boolean planNeedsPrincipal(Rule rule) {
		return !rule.numbers().plans().isEmpty() && planOf(rule).needsPrincipal();
	}

	private PlanResolver planOf(Rule rule) {
		return this.plan.orElseThrow(() -> new InvalidRuleException(property(rule, "plans"),
				rule.numbers().plans().keySet().toString(), "no plan source is configured",
				"Set 'ratelimit.plan', such as 'authority:PLAN_', or define a bean of type PlanResolver."));
	}

	private List<PathPattern> patterns(Rule rule, String property, List<String> texts) {
		return texts.stream()
			.map((text) -> pattern(rule, property, text))
			.sorted(Comparator.comparing((pattern) -> pattern, PathPattern.SPECIFICITY_COMPARATOR))
			.toList();
	}

	private PathPattern pattern(Rule rule, String property, String text) {
		if (!text.startsWith("/")) {
			throw new InvalidRuleException(property(rule, property), text, "the path pattern must start with '/'",
					"Use '/" + text + "'.");
		}
		try {
			return this.parser.parse(text);
		}
		catch (PatternParseException ex) {
			throw new InvalidRuleException(property(rule, property), text,
					"the path pattern is invalid: " + ex.getMessage(),
					"Correct the pattern. ? matches a character, * a segment, ** the rest, {name} a variable.");
		}
	}

	private static void requireVariables(Rule rule, List<PathPattern> paths) {
		for (KeyPart part : rule.key().parts()) {
			for (PathPattern pattern : paths) {
				boolean declared = HandlerRoute.declares(pattern, part.argument());
				if (part.kind() == KeyPart.Kind.PATH && !declared) {
					throw new InvalidRuleException(property(rule, "key"), part.toString(),
							"the path pattern " + pattern + " has no variable {" + part.argument() + "}",
							"Use a variable of the pattern, or add {" + part.argument() + "} to it.");
				}
			}
		}
	}

	private static String property(Rule rule, String property) {
		return rule.location() + "." + property;
	}

}
