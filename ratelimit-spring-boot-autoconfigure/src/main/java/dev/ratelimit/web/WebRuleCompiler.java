package dev.ratelimit.web;

import java.security.Principal;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.CostResolver;
import dev.ratelimit.KeyResolver;
import dev.ratelimit.MissingKeyPolicy;
import dev.ratelimit.Phase;
import dev.ratelimit.PlanResolver;
import dev.ratelimit.base.Claims;
import dev.ratelimit.engine.CompiledLimits;
import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.engine.Subjects;
import dev.ratelimit.gate.CostFunction;
import dev.ratelimit.gate.GateRule;
import dev.ratelimit.gate.SubjectPart;
import dev.ratelimit.rule.Cost;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.KeyPart;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.Waiting;

import org.springframework.http.HttpHeaders;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import org.springframework.web.util.pattern.PatternParseException;

/**
 * Compiles rules for requests, and rejects those that could not apply to any request.
 *
 * @param parts creates the functions that find keys
 * @param costs creates the functions that find costs
 * @param plan finds the plan of a client; empty if there is no plan source
 * @param callers identifies clients
 * @param phased whether authentication runs between the phases
 * @param levelsByPrincipal whether the level of a request may depend on the principal
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
		if (!this.phased || rule.graphQl().isPresent()) {
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
			// In the late phase, one decision covers the shared limit and the limit of
			// the client, so a request that the limit of the client rejects is not
			// charged to the shared limit. Requests should not wait before
			// authentication.
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

	/**
	 * Creates the functions that find the costs of requests. Values of clients are
	 * bounded: a value that is not a plain number costs the whole capacity of the limit,
	 * because the application may parse a number from it.
	 */
	private static final class CostFunctions {

		private static final int MAX_DIGITS = 18;

		/**
		 * The maximum cost: greater than any limit, and small enough that the sum over
		 * all fields of an operation does not overflow.
		 */
		private static final long MAX_UNITS = 1L << 40;

		/**
		 * The replacement of several values. It is not a number, because the value that
		 * the application reads is unknown.
		 */
		private static final String REPEATED = ",";

		private static final Set<String> WITH_CONTENT = Set.of("POST", "PUT", "PATCH");

		/**
		 * The methods that usually have no content, because it has no defined meaning.
		 */
		private static final Set<String> WITHOUT_CONTENT = Set.of("GET", "HEAD", "OPTIONS", "TRACE", "DELETE");

		private final Map<String, CostResolver> resolvers;

		CostFunctions(Map<String, CostResolver> resolvers) {
			this.resolvers = resolvers;
		}

		boolean needsPrincipal(Rule rule) {
			return rule.numbers().cost().kind() == Cost.Kind.BEAN && resolver(rule).needsPrincipal();
		}

		CostFunction<GateRequest> of(Rule rule) {
			Cost cost = rule.numbers().cost();
			return switch (cost.kind()) {
				case FIXED -> (rule.graphQl().isPresent()) ? each(cost.units()) : fixed(cost.units());
				case GRAPHQL -> fields(rule);
				case HEADER -> (request, route, limits) -> number(request.headers(cost.argument()), limits);
				case PARAM -> parameter(new ParameterName(cost.argument()));
				case CONTENT_LENGTH -> (request, route, limits) -> contentLength(request, limits);
				case BEAN -> bean(resolver(rule));
			};
		}

		private static CostFunction<GateRequest> parameter(ParameterName name) {
			return (request, route, limits) -> parameter(request, name, limits);
		}

		private static CostFunction<GateRequest> fixed(long units) {
			return (request, route, limits) -> units;
		}

		private static CostFunction<GateRequest> each(long units) {
			return (request, route, limits) -> Math.min(units, MAX_UNITS) * route.weight();
		}

		private static CostFunction<GateRequest> fields(Rule rule) {
			if (rule.graphQl().isEmpty()) {
				throw new InvalidRuleException(rule.location() + ".cost", rule.numbers().cost().toString(),
						"only the operations of rules with 'graphql' have fields",
						"Set 'graphql', such as 'Query.*', or use another cost.");
			}
			return (request, route, limits) -> route.weight();
		}

		private static CostFunction<GateRequest> bean(CostResolver resolver) {
			return (request, route, limits) -> Math.max(0, resolver.cost(request));
		}

		private static long parameter(GateRequest request, ParameterName parameter, CompiledLimits limits) {
			Optional<List<String>> values = request.parameters(parameter.name());
			if (values.isEmpty()
					|| (values.get().stream().allMatch(String::isEmpty) && request.hasHeaderFor(parameter))) {
				return limits.capacity();
			}
			return number(values.get(), limits);
		}

		private static long number(List<String> values, CompiledLimits limits) {
			if (values.isEmpty()) {
				return 1;
			}
			String value = (values.size() == 1) ? values.get(0) : REPEATED;
			if (value.isEmpty()) {
				return 1;
			}
			return (isNumber(value)) ? Math.max(1, Long.parseLong(value)) : limits.capacity();
		}

		// Content of unknown length costs the capacity of the limit, because a lower cost
		// could bypass it.
		private static long contentLength(GateRequest request, CompiledLimits limits) {
			Optional<String> length = request.header(HttpHeaders.CONTENT_LENGTH);
			if (length.isPresent() && isNumber(length.get())) {
				return Long.parseLong(length.get());
			}
			if (length.isPresent() || request.header(HttpHeaders.TRANSFER_ENCODING).isPresent()
					|| WITH_CONTENT.contains(request.method())) {
				return limits.capacity();
			}
			return (request.mayHideContent()) ? hidden(request, limits) : 0;
		}

		// Costs one unit, so that an exhausted limit rejects the request.
		private static long hidden(GateRequest request, CompiledLimits limits) {
			return (WITHOUT_CONTENT.contains(request.method())) ? 1 : limits.capacity();
		}

		private static boolean isNumber(String text) {
			return !text.isEmpty() && text.length() <= MAX_DIGITS
					&& text.chars().allMatch((character) -> character >= '0' && character <= '9');
		}

		private CostResolver resolver(Rule rule) {
			CostResolver resolver = this.resolvers.get(rule.numbers().cost().argument());
			if (resolver == null) {
				throw new InvalidRuleException(rule.location() + ".cost", rule.numbers().cost().toString(),
						"there is no bean '" + rule.numbers().cost().argument() + "' of type CostResolver",
						"Define it, or use one of " + this.resolvers.keySet() + ".");
			}
			return resolver;
		}

	}

	/**
	 * Creates the functions that find the parts of subjects.
	 */
	private static final class SubjectParts {

		private final Map<String, KeyResolver> resolvers;

		private final Optional<Claims> claims;

		SubjectParts(Map<String, KeyResolver> resolvers, Optional<Claims> claims) {
			this.resolvers = resolvers;
			this.claims = claims;
		}

		private static Optional<String> ip(GateRequest request) {
			return Optional.of(request.addressPart());
		}

		boolean needsPrincipal(Rule rule) {
			return rule.key()
				.parts()
				.stream()
				.anyMatch((part) -> part.kind().readsPrincipal()
						|| (part.kind() == KeyPart.Kind.BEAN && resolver(rule, part).needsPrincipal()));
		}

		SubjectPart<GateRequest> part(Rule rule, KeyPart part) {
			KeyPart.Kind kind = part.kind();
			String argument = part.argument();
			return switch (kind) {
				case CALLER -> (request, match) -> user(request).or(() -> ip(request));
				case USER -> (request, match) -> user(request);
				case IP -> (request, match) -> ip(request);
				case GLOBAL -> global();
				case ROUTE -> (request, match) -> Optional.of(Subjects.part(kind, match.route()));
				case HEADER -> (request, match) -> value(kind, request.header(argument));
				case COOKIE -> cookie(kind, argument, rule.key().writes(MissingKeyPolicy.SKIP));
				case PATH -> (request, match) -> value(kind, match.variable(argument));
				case PARAM -> parameter(kind, argument, rule.key().writes(MissingKeyPolicy.SKIP));
				case FORM -> field(kind, argument, rule.key().writes(MissingKeyPolicy.SKIP));
				case CLAIM -> claim(kind, argument, claims(rule, part));
				case ARG -> argument(rule, part);
				case ENTRY -> throw invalid(rule, part, "requests have no descriptors, only calls of Envoy have",
						"Use another key, such as 'header:" + part.argument() + "'.");
				case BEAN -> bean(kind, resolver(rule, part));
			};
		}

		/**
		 * Return the flow of a request in the queues of a rule.
		 * @param rule the rule
		 * @return the key whose values take turns; a part without a value if all requests
		 * of a bucket belong to one flow
		 */
		SubjectPart<GateRequest> flow(Rule rule) {
			Optional<KeyPart> written = rule.reaction().waiting().flatMap(Waiting::fairBy);
			if (written.isPresent()) {
				return part(rule, written.get());
			}
			return (rule.sharedByAllClients()) ? part(rule, KeyPart.parse(KeyPart.Kind.CALLER.word()))
					: (request, match) -> Optional.empty();
		}

		private static SubjectPart<GateRequest> global() {
			Optional<String> global = Optional.of(Subjects.GLOBAL);
			return (request, match) -> global;
		}

		private static SubjectPart<GateRequest> bean(KeyPart.Kind kind, KeyResolver resolver) {
			return (request, match) -> value(kind, resolver.resolve(request));
		}

		private static SubjectPart<GateRequest> claim(KeyPart.Kind kind, String name, Claims claims) {
			return (request, match) -> value(kind, claims.claim(request, name));
		}

		private static Optional<String> user(GateRequest request) {
			// A token may have no name.
			return request.principal().map(Principal::getName).map((name) -> Subjects.part(KeyPart.Kind.USER, name));
		}

		// An empty value counts as a missing one.
		private static Optional<String> value(KeyPart.Kind kind, Optional<String> value) {
			return value.filter((text) -> !text.isEmpty()).map((text) -> Subjects.part(kind, text));
		}

		// Ambiguous or unread values must not bypass the rule, so they share the bucket
		// of requests without the key. Readers differ in the spelling that they use, so a
		// key by the other spellings could have a bucket for each text.
		private static SubjectPart<GateRequest> parameter(KeyPart.Kind kind, String name, boolean skips) {
			Optional<String> unclear = unclear(kind, skips);
			ParameterName parameter = new ParameterName(name);
			return (request, match) -> {
				Optional<String> first = value(kind, QueryParameter.first(request.query(), name));
				return (first.isEmpty() && unclear.isPresent()
						&& (QueryParameter.isElsewhere(request.query(), name) || request.hasHeaderFor(parameter)))
								? unclear : first;
			};
		}

		// Results in the missing key, even for rules that skip requests without the key.
		private static Optional<String> unclear(KeyPart.Kind kind, boolean skips) {
			return (skips) ? Optional.of(Subjects.missing(kind.word())) : Optional.empty();
		}

		// A rule without paths may apply to bean methods, whose calls have another gate.
		private static SubjectPart<GateRequest> argument(Rule rule, KeyPart part) {
			if (!rule.match().paths().isEmpty()) {
				throw invalid(rule, part, "requests have no arguments, only calls of bean methods have",
						"Use another key, such as 'param:" + part.argument() + "' or 'path:" + part.argument() + "'.");
			}
			return (request, match) -> Optional.empty();
		}

		// If there are several cookies with one name, readers differ in the one that they
		// use.
		private static SubjectPart<GateRequest> cookie(KeyPart.Kind kind, String name, boolean skips) {
			Optional<String> unclear = unclear(kind, skips);
			return (request, match) -> {
				List<String> values = request.cookies(name);
				return (values.size() > 1) ? unclear : value(kind, values.stream().findFirst());
			};
		}

		private static SubjectPart<GateRequest> field(KeyPart.Kind kind, String name, boolean skips) {
			Optional<String> unclear = unclear(kind, skips);
			ParameterName parameter = new ParameterName(name);
			return (request, match) -> {
				Form form = form(request);
				if (form.isAmbiguous(name, request.query())) {
					return unclear;
				}
				Optional<String> field = value(kind, form.field(name, request.query()));
				return (field.isEmpty() && unclear.isPresent() && request.hasHeaderFor(parameter)) ? unclear : field;
			};
		}

		// An unreadable form has no fields.
		private static Form form(GateRequest request) {
			CompletableFuture<Form> form = request.form();
			return (form.isCompletedExceptionally()) ? Form.NOTHING.join() : form.join();
		}

		private KeyResolver resolver(Rule rule, KeyPart part) {
			KeyResolver resolver = this.resolvers.get(part.argument());
			if (resolver == null) {
				throw invalid(rule, part, "there is no bean '" + part.argument() + "' of type KeyResolver",
						"Define it, or use one of " + this.resolvers.keySet() + ".");
			}
			return resolver;
		}

		private Claims claims(Rule rule, KeyPart part) {
			return this.claims
				.orElseThrow(() -> invalid(rule, part, "Spring Security's OAuth 2 support is not on the classpath",
						"Add 'spring-boot-starter-security-oauth2-resource-server', or choose another key."));
		}

		private static InvalidRuleException invalid(Rule rule, KeyPart part, String reason, String action) {
			return new InvalidRuleException(rule.location() + ".key", part.toString(), reason, action);
		}

	}

}
