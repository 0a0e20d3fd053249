package dev.ratelimit.autoconfigure;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

import dev.ratelimit.RuleMode;
import dev.ratelimit.method.BeanMethod;
import dev.ratelimit.method.MethodGate;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.KeyPart;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.web.HandlerRoute;

/**
 * Checks the rules of a set against this application: its handler methods, its limited
 * methods, and its endpoints. Every set is checked before it becomes active.
 *
 * @param application the annotated methods
 * @param web whether there are HTTP requests to limit
 * @param routes all routes of all handler methods
 * @param methods the gate of limited methods, if there is one
 * @param secured whether Spring Security is on the classpath
 * @param whole whether the application loads all of its rules, unlike a test slice
 * @param warnings receives warnings about rules that work but are probably not intended
 */
record ApplicationChecks(AnnotatedApplication application, boolean web, List<HandlerRoute> routes,
		Optional<MethodGate> methods, boolean secured, boolean whole, Consumer<String> warnings) {

	/** Names below the path of the endpoint that are not ids of rules. */
	private static final List<String> RESERVED_IDS = List.of("doctor", "explain");

	void check(RuleSet set) {
		Collection<Rule> rules = set.rules().values();
		requireNotReserved(set.rules());
		this.application.requireKnown(rules, this.whole);
		rules.forEach(this::requireNotNamed);
		this.methods.ifPresent((gate) -> this.application.requireCallable(rules, gate));
		if (this.web) {
			Set<String> named = this.application.named();
			rules.forEach((rule) -> requireReachable(rule, named));
			requireVariables(set.rules());
			warnOfUnknownUsers(rules);
		}
		this.application.beanMethods().forEach((method) -> warnOfSharedBucket(method, rules));
	}

	private void requireNotNamed(Rule rule) {
		if (rule.graphQl().isPresent() && this.application.named().contains(rule.id())) {
			throw new InvalidRuleException(rule.location() + ".graphql", rule.graphQl().get().toString(),
					"@RateLimited references the rule, which applies to GraphQL operations only",
					"Reference another rule.");
		}
		if (rule.descriptor().isPresent() && this.application.named().contains(rule.id())) {
			throw new InvalidRuleException(rule.location() + ".descriptor", rule.descriptor().get().toString(),
					"@RateLimited references the rule, which applies to calls of Envoy only",
					"Reference another rule.");
		}
	}

	private void warnOfUnknownUsers(Collection<Rule> rules) {
		if (this.secured) {
			return;
		}
		Set<String> named = this.application.namedByHandlers(this.routes);
		for (Rule rule : rules) {
			boolean http = !rule.match().paths().isEmpty() || rule.graphQl().isPresent() || named.contains(rule.id());
			if (http && hasUser(rule) && rule.reaction().mode() != RuleMode.OFF) {
				this.warnings.accept(rule.location() + ".key = '" + rule.key().parts()
						+ "': Spring Security is not on the classpath, so requests have no user unless the server sets"
						+ " one. Add 'spring-boot-starter-security', or use another key, such as 'ip'.");
			}
		}
	}

	// A method call has no client address that could replace a missing user.
	private void warnOfSharedBucket(BeanMethod method, Collection<Rule> rules) {
		List<String> named = this.application.rules().byMethod().getOrDefault(method, List.of());
		for (Rule rule : rules) {
			if (named.contains(rule.id()) && hasUser(rule) && rule.key().onMissing().isEmpty()) {
				this.warnings.accept("@RateLimited on " + method + " (rule '" + rule.id()
						+ "') has a key with 'user' and no 'on-missing-key': calls without an authenticated user share"
						+ " one bucket. Set 'on-missing-key' to 'shared', 'skip', or 'deny'.");
			}
		}
	}

	private static boolean hasUser(Rule rule) {
		return rule.key().parts().stream().anyMatch((part) -> part.kind() == KeyPart.Kind.USER);
	}

	private static void requireNotReserved(Map<String, Rule> rules) {
		for (String word : RESERVED_IDS) {
			if (rules.containsKey(word)) {
				throw new InvalidRuleException(rules.get(word).location(), "",
						"'" + word + "' is reserved for the endpoint /actuator/ratelimit/" + word,
						"Rename the rule. In annotations, set 'id'.");
			}
		}
	}

	// The key of a handler can only contain variables of the handler's own path patterns.
	private void requireVariables(Map<String, Rule> rules) {
		for (HandlerRoute route : this.routes) {
			List<String> named = this.application.rules().byMethod().getOrDefault(route.handler(), List.of());
			for (String id : named) {
				Rule rule = rules.get(id);
				if (rule != null) {
					rule.key().parts().forEach((part) -> requireVariable(route, part));
				}
			}
		}
	}

	private static void requireVariable(HandlerRoute route, KeyPart part) {
		if (part.kind() == KeyPart.Kind.ARG) {
			throw new InvalidRuleException("@RateLimited on " + route.handler(), part.toString(),
					"requests have no arguments, only calls of bean methods have",
					"Use another key, such as 'param:' or 'path:'.");
		}
		if (part.kind() == KeyPart.Kind.PATH && !route.declares(part.argument())) {
			throw new InvalidRuleException("@RateLimited on " + route.handler(), part.toString(),
					"the path pattern " + route.pattern() + " has no variable {" + part.argument() + "}",
					"Use a variable of the pattern.");
		}
	}

	private void requireReachable(Rule rule, Set<String> named) {
		boolean byName = named.contains(rule.id()) || rule.match().programmatic();
		if (rule.reaction().mode() == RuleMode.OFF) {
			return;
		}
		if (rule.match().paths().isEmpty() && !byName && rule.descriptor().isEmpty() && rule.graphQl().isEmpty()) {
			throw new InvalidRuleException(rule.location() + ".paths", "",
					"the rule has no 'paths' and no @RateLimited references it",
					"Add 'paths', such as '/**', reference the rule with @RateLimited(rule = \"" + rule.id()
							+ "\"), or set 'programmatic: true' if only code uses it.");
		}
		if (rule.match().exceptsAllPaths()) {
			requireOtherWay(rule, byName);
		}
	}

	private void requireOtherWay(Rule rule, boolean byName) {
		String property = rule.location() + ".except-paths";
		String reason = "it excludes all of the rule's paths " + rule.match().paths();
		if (!byName) {
			throw new InvalidRuleException(property, String.join(",", rule.match().exceptPaths()), reason,
					"Remove or narrow 'except-paths', or set 'mode: off' to disable the rule.");
		}
		this.warnings.accept(property + " = '" + rule.match().exceptPaths() + "': " + reason
				+ ", so the rule only applies where annotations or code reference it");
	}

}
