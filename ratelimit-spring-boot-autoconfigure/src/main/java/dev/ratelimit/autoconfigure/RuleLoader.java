package dev.ratelimit.autoconfigure;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

import dev.ratelimit.Limit;
import dev.ratelimit.RuleMode;
import dev.ratelimit.actuate.RateLimitEndpoint;
import dev.ratelimit.annotation.AnnotatedMethod;
import dev.ratelimit.annotation.AnnotatedRules;
import dev.ratelimit.doctor.RuleReach;
import dev.ratelimit.method.BeanMethod;
import dev.ratelimit.method.MethodGate;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.KeyPart;
import dev.ratelimit.rule.Origin;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleDefinition;
import dev.ratelimit.rule.RuleFactory;
import dev.ratelimit.rule.RuleRegistry;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.rule.SharedBuckets;
import dev.ratelimit.web.HandlerIndex;
import dev.ratelimit.web.HandlerRoute;
import dev.ratelimit.web.HandlerRules;
import dev.ratelimit.web.RequestGate;
import dev.ratelimit.web.ResponseWriter;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Puts the rules of properties and annotations in force, once all handler methods exist,
 * and refuses to start with rules that nothing can reach.
 */
final class RuleLoader implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(RuleLoader.class);

	private static final String PROPERTY = "ratelimit.rules.";

	private final RateLimitProperties properties;

	private final RuleRegistry registry;

	private final ObjectProvider<WebStack> web;

	private final ObjectProvider<RequestGate> gate;

	private final ObjectProvider<ResponseWriter> writer;

	private final ObjectProvider<MethodGate> methods;

	private final ObjectProvider<RuleExamination> examination;

	RuleLoader(RateLimitProperties properties, RuleRegistry registry, ObjectProvider<WebStack> web,
			ObjectProvider<RequestGate> gate, ObjectProvider<ResponseWriter> writer, ObjectProvider<MethodGate> methods,
			ObjectProvider<RuleExamination> examination) {
		this.properties = properties;
		this.registry = registry;
		this.web = web;
		this.gate = gate;
		this.writer = writer;
		this.methods = methods;
		this.examination = examination;
	}

	@Override
	public void afterSingletonsInstantiated() {
		WebStack stack = this.web.getIfAvailable();
		MethodGate calls = this.methods.getIfAvailable();
		List<HandlerRoute> routes = (stack != null) ? stack.routes().get() : List.of();
		Set<BeanMethod> found = (calls != null) ? calls.methods() : Set.of();
		AnnotatedApplication application = AnnotatedApplication.of(routes, found);
		AnnotatedRules annotated = application.rules();
		PropertyWarnings.of(this.properties).forEach(logger::warn);
		List<Rule> rules = rules(annotated);
		application.requireKnown(rules);
		if (calls != null) {
			application.requireCallable(rules, calls);
			this.registry.follow((set) -> calls.use(set, found, annotated.byMethod()));
		}
		if (stack == null) {
			this.registry.follow((set) -> examine(set, Map.of(), false));
			this.registry.replace(rules);
			return;
		}
		Set<String> named = application.named();
		rules.forEach((rule) -> requireReachable(rule, named));
		requireVariables(rules, annotated, routes);
		HandlerRules bound = new HandlerRules(
				new HandlerIndex(routes, annotated::concern, stack.prefix(), stack.preceded().getAsBoolean()),
				annotated.byMethod(), annotated.exemptions());
		Map<String, List<String>> paths = paths(routes, annotated.byMethod(), stack.prefix());
		this.registry.follow((set) -> {
			this.gate.getObject().use(set, bound, stack.parser().get());
			this.writer.getObject().use(set);
			examine(set, paths, stack.phased());
		});
		this.registry.replace(rules);
		logger.info("Rate limiting by " + rules.size() + " rules: " + rules.stream().map(Rule::id).toList());
	}

	private void examine(RuleSet set, Map<String, List<String>> handlerPaths, boolean phased) {
		this.examination.ifAvailable((doctor) -> doctor.use(set.rules()
			.values()
			.stream()
			.map((rule) -> new RuleReach(rule, handlerPaths.getOrDefault(rule.id(), List.of())))
			.toList(), phased));
	}

	private static Map<String, List<String>> paths(List<HandlerRoute> routes,
			Map<AnnotatedMethod, List<String>> byHandler, String prefix) {
		Map<String, List<String>> paths = new HashMap<>();
		for (HandlerRoute route : routes) {
			for (String id : byHandler.getOrDefault(route.handler(), List.of())) {
				paths.computeIfAbsent(id, (key) -> new ArrayList<>()).add(prefix + route.pattern().getPatternString());
			}
		}
		return paths;
	}

	private List<Rule> rules(AnnotatedRules annotated) {
		RuleFactory factory = new RuleFactory(RuleProperties.definition(this.properties.defaults()), logger::warn);
		Set<String> ids = new TreeSet<>(this.properties.rules().keySet());
		ids.addAll(annotated.definitions().keySet());
		List<Rule> rules = new ArrayList<>();
		for (String id : ids) {
			rules.add(rule(factory, id, annotated));
		}
		requireNotReserved(ids);
		requireDistinct(rules);
		requireDistinctPolicies(rules);
		requireKnownReplaced(rules);
		requireNoCircle(rules);
		SharedBuckets.check(rules, logger::warn);
		return rules;
	}

	private Rule rule(RuleFactory factory, String id, AnnotatedRules annotated) {
		RuleProperties written = this.properties.rules().get(id);
		AnnotatedRules.Written annotation = annotated.definitions().get(id);
		if (written == null) {
			AnnotatedRules.Written alone = Objects.requireNonNull(annotation);
			return factory.rule(id, Origin.ANNOTATION, alone.culprit(), alone.definition());
		}
		RuleDefinition definition = written.definition(PROPERTY + id);
		requireOneForm(id, written);
		if (annotation == null) {
			return factory.rule(id, Origin.PROPERTY, PROPERTY + id, definition);
		}
		return factory.rule(id, Origin.ANNOTATION_AND_PROPERTY, PROPERTY + id,
				definition.over(annotation.definition()));
	}

	private static void requireOneForm(String id, RuleProperties written) {
		if (written.limit() != null && !written.limits().isEmpty()) {
			throw new InvalidRuleException(PROPERTY + id + ".limits", written.limits().toString(),
					"'limit' and 'limits' are both set", "Keep one of them.");
		}
	}

	private static void requireNotReserved(Set<String> ids) {
		for (String word : List.of(RateLimitEndpoint.DOCTOR, RateLimitEndpoint.EXPLAIN)) {
			if (ids.contains(word)) {
				throw new InvalidRuleException(PROPERTY + word, "",
						"'" + word + "' is a page of the actuator's endpoint, /actuator/ratelimit/" + word,
						"Rename the rule; an annotation names it by 'id'.");
			}
		}
	}

	// Environment variables have no dashes: two ids that differ by them alone would be
	// one.
	private static void requireDistinct(List<Rule> rules) {
		Map<String, String> seen = new HashMap<>();
		for (Rule rule : rules) {
			String other = seen.put(rule.id().replace("-", ""), rule.id());
			if (other != null) {
				throw new InvalidRuleException(PROPERTY + rule.id(), "",
						"it differs from '" + other + "' by dashes alone, which environment variables cannot tell",
						"Rename one of them; if one comes from an environment variable, set the property in a file.");
			}
		}
	}

	// A rule with several limits shows each under its id and window: nobody else may.
	private static void requireDistinctPolicies(List<Rule> rules) {
		Set<String> ids = new HashSet<>();
		rules.forEach((rule) -> ids.add(rule.id()));
		for (Rule rule : rules) {
			for (Limit limit : rule.limits()) {
				String policy = rule.id() + "-" + limit.window();
				if (rule.limits().size() > 1 && ids.contains(policy)) {
					throw new InvalidRuleException(PROPERTY + policy, "",
							"clients see one of the limits of '" + rule.id() + "' under the same name", "Rename it.");
				}
			}
		}
	}

	private static void requireKnownReplaced(List<Rule> rules) {
		Set<String> ids = new TreeSet<>();
		rules.forEach((rule) -> ids.add(rule.id()));
		for (Rule rule : rules) {
			for (String replaced : rule.reaction().replaces()) {
				if (!ids.contains(replaced) || replaced.equals(rule.id())) {
					throw new InvalidRuleException(PROPERTY + rule.id() + ".replaces", replaced,
							"there is no other rule of this id", "Name one of " + ids + ".");
				}
			}
		}
	}

	// Rules that replace each other would leave a request to none of them.
	private static void requireNoCircle(List<Rule> rules) {
		Map<String, List<String>> replaced = new HashMap<>();
		rules.forEach((rule) -> replaced.put(rule.id(), rule.reaction().replaces()));
		for (Rule rule : rules) {
			Set<String> reached = new HashSet<>();
			Deque<String> open = new ArrayDeque<>(rule.reaction().replaces());
			while (!open.isEmpty()) {
				String next = open.remove();
				if (reached.add(next)) {
					open.addAll(replaced.getOrDefault(next, List.of()));
				}
			}
			if (reached.contains(rule.id())) {
				throw new InvalidRuleException(PROPERTY + rule.id() + ".replaces",
						rule.reaction().replaces().toString(),
						"the rules replace each other, so that none of them would apply",
						"Let the specific rule alone replace the general one.");
			}
		}
	}

	// A handler's key may name variables of the handler's own patterns alone.
	private static void requireVariables(List<Rule> rules, AnnotatedRules annotated, List<HandlerRoute> routes) {
		for (HandlerRoute route : routes) {
			List<String> named = annotated.byMethod().getOrDefault(route.handler(), List.of());
			for (Rule rule : rules) {
				if (named.contains(rule.id())) {
					rule.key().parts().forEach((part) -> requireVariable(route, part));
				}
			}
		}
	}

	private static void requireVariable(HandlerRoute route, KeyPart part) {
		if (part.kind() == KeyPart.Kind.PATH && !route.declares(part.argument())) {
			throw new InvalidRuleException("@RateLimited on " + route.handler(), part.toString(),
					"the path pattern " + route.pattern() + " has no variable {" + part.argument() + "}",
					"Name a variable of the pattern.");
		}
	}

	private void requireReachable(Rule rule, Set<String> named) {
		RuleProperties written = this.properties.rules().get(rule.id());
		boolean byName = named.contains(rule.id()) || (written != null && written.programmatic());
		if (rule.reaction().mode() == RuleMode.OFF) {
			return;
		}
		if (rule.match().paths().isEmpty() && !byName) {
			throw new InvalidRuleException(PROPERTY + rule.id() + ".paths", "",
					"nothing can reach the rule: it has no paths, and no @RateLimited names it",
					"Add 'paths: /**' or narrower ones, name it in @RateLimited(rule = \"" + rule.id()
							+ "\"), or set 'programmatic: true' if only code calls it.");
		}
		if (rule.match().exceptsAllPaths()) {
			requireOtherWay(rule, byName);
		}
	}

	private static void requireOtherWay(Rule rule, boolean byName) {
		String property = PROPERTY + rule.id() + ".except-paths";
		String reason = "it leaves out all of its paths " + rule.match().paths();
		if (!byName) {
			throw new InvalidRuleException(property, String.join(",", rule.match().exceptPaths()), reason,
					"Remove or narrow 'except-paths', or set 'mode: off' to disable the rule.");
		}
		logger.warn(property + " = '" + rule.match().exceptPaths() + "': " + reason
				+ ", so the rule applies only where annotations or code name it");
	}

}
