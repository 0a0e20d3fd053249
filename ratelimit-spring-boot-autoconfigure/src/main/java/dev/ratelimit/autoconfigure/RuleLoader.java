package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

import dev.ratelimit.base.ActiveRules;
import dev.ratelimit.base.RuleReach;
import dev.ratelimit.engine.Edition;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.method.BeanMethod;
import dev.ratelimit.method.MethodGate;
import dev.ratelimit.rule.AnnotatedMethod;
import dev.ratelimit.rule.AnnotatedRules;
import dev.ratelimit.rule.MethodNames;
import dev.ratelimit.rule.RuleLayers;
import dev.ratelimit.rule.RuleSetChecks;
import dev.ratelimit.web.HandlerIndex;
import dev.ratelimit.web.HandlerRoute;
import dev.ratelimit.web.HandlerRules;
import dev.ratelimit.web.RequestGate;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Internal: loads the rules of properties and annotations once all handler methods exist,
 * and connects the compilers, checks, and listeners of rules to the editions.
 */
public final class RuleLoader implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(RuleLoader.class);

	private final RateLimitProperties properties;

	private final Editions editions;

	private final ObjectProvider<WebStack> web;

	private final ObjectProvider<RequestGate> gate;

	private final ObjectProvider<FrontRoutes> others;

	private final ObjectProvider<MethodGate> methods;

	private final ActiveRules.Reference active;

	private final boolean secured;

	private final Optional<TestSlice> slice;

	private final RuleStart start;

	RuleLoader(RateLimitProperties properties, Editions editions, ObjectProvider<WebStack> web,
			ObjectProvider<RequestGate> gate, ObjectProvider<FrontRoutes> others, ObjectProvider<MethodGate> methods,
			ActiveRules.Reference active, boolean secured, Optional<TestSlice> slice, RuleStart start) {
		this.properties = properties;
		this.editions = editions;
		this.web = web;
		this.gate = gate;
		this.others = others;
		this.methods = methods;
		this.active = active;
		this.secured = secured;
		this.slice = slice;
		this.start = start;
	}

	@Override
	public void afterSingletonsInstantiated() {
		Optional<WebStack> stack = Optional.ofNullable(this.web.getIfAvailable());
		Optional<MethodGate> calls = Optional.ofNullable(this.methods.getIfAvailable());
		List<HandlerRoute> routes = new ArrayList<>(stack.map((found) -> found.routes().get()).orElse(List.of()));
		this.others.stream().forEach((front) -> routes.addAll(front.routes().get()));
		Set<BeanMethod> found = calls.map(MethodGate::methods).orElse(Set.of());
		AnnotatedApplication application = AnnotatedApplication.of(routes, found);
		PropertyWarnings.of(this.properties).forEach(logger::warn);
		RuleLayers layers = new WrittenRules(this.properties).layers(application.rules());
		if (this.slice.isPresent()) {
			layers = layers.with(this.slice.get()
				.applicable(new WrittenRules(this.properties).environment(), layers.defaults(), application.named()));
		}
		this.editions.addCheck((set) -> RuleSetChecks.check(set, this.slice.isEmpty(), this.start.warnings()));
		this.editions.addCheck(new ApplicationChecks(application, stack.isPresent(), routes, calls, this.secured,
				this.slice.isEmpty(), this.start.warnings())::check);
		calls.ifPresent((gate) -> gate.bind(found, application.rules().byMethod()));
		stack.ifPresent((present) -> bind(present, routes, application.rules()));
		this.start.begin(layers);
		this.editions.addListener(new ActiveRulesUpdater(this.active, routes, application.rules().byMethod(), stack,
				afterSecurity(stack)));
		Set<String> loaded = this.editions.current().rules().rules().keySet();
		stack.ifPresent((present) -> logger.info("Loaded " + loaded.size() + " rate limit rules: " + loaded));
	}

	// Finds the rules of an edition that are evaluated after Spring Security.
	private Function<Edition, Predicate<String>> afterSecurity(Optional<WebStack> stack) {
		boolean phased = stack.map(WebStack::phased).orElse(false)
				|| this.others.stream().anyMatch(FrontRoutes::phased);
		RequestGate requests = this.gate.getIfAvailable();
		return (!phased || requests == null) ? (edition) -> (id) -> phased
				: (edition) -> requests.rules(edition)::isLate;
	}

	private void bind(WebStack stack, List<HandlerRoute> routes, AnnotatedRules annotated) {
		HandlerIndex index = new HandlerIndex(routes, annotated::concern, stack.prefix(),
				stack.preceded().getAsBoolean());
		this.gate.getObject()
			.bind(new HandlerRules(index, annotated.byMethod(), annotated.exemptions(), annotated.levels()),
					stack.parser().get());
	}

	/**
	 * Stores the rules of the active edition, with the paths of the handlers that
	 * reference them.
	 */
	private static final class ActiveRulesUpdater implements Consumer<Edition> {

		private final ActiveRules.Reference active;

		private final Map<String, List<String>> handlerPaths;

		private final Function<Edition, Predicate<String>> afterSecurity;

		ActiveRulesUpdater(ActiveRules.Reference active, List<HandlerRoute> routes,
				Map<AnnotatedMethod, List<String>> byHandler, Optional<WebStack> stack,
				Function<Edition, Predicate<String>> afterSecurity) {
			this.active = active;
			this.handlerPaths = stack.map((present) -> paths(routes, byHandler, present.prefix())).orElse(Map.of());
			this.afterSecurity = afterSecurity;
		}

		@Override
		public void accept(Edition edition) {
			Predicate<String> late = this.afterSecurity.apply(edition);
			List<RuleReach> rules = edition.rules()
				.rules()
				.values()
				.stream()
				.map((rule) -> new RuleReach(rule, this.handlerPaths.getOrDefault(rule.id(), List.of()),
						late.test(rule.id())))
				.toList();
			this.active.set(new ActiveRules(rules));
		}

		private static Map<String, List<String>> paths(List<HandlerRoute> routes,
				Map<AnnotatedMethod, List<String>> byHandler, String prefix) {
			Map<String, List<String>> paths = new HashMap<>();
			for (HandlerRoute route : routes) {
				for (String id : byHandler.getOrDefault(route.handler(), List.of())) {
					paths.computeIfAbsent(id, (key) -> new ArrayList<>())
						.add(prefix + route.pattern().getPatternString());
				}
			}
			return paths;
		}

	}

	/**
	 * Finds values of properties that work but are probably not intended, such as seconds
	 * instead of milliseconds.
	 */
	private static final class PropertyWarnings {

		private static final Duration LONG_DEADLINE = Duration.ofSeconds(5);

		private static final Duration LONG_INTERVAL = Duration.ofMinutes(1);

		private static final Duration SHORT_INTERVAL = Duration.ofMillis(10);

		private PropertyWarnings() {
		}

		/**
		 * Return warnings about the properties.
		 * @param properties the properties
		 * @return warnings, in words
		 */
		static List<String> of(RateLimitProperties properties) {
			List<String> warnings = new ArrayList<>();
			Duration deadline = properties.deadline();
			if (deadline.compareTo(LONG_DEADLINE) > 0) {
				warnings.add(warning("deadline", deadline, "requests may wait this long for Redis"));
			}
			Duration interval = properties.circuit().probeInterval();
			if (interval.compareTo(LONG_INTERVAL) > 0) {
				warnings.add(warning("circuit.probe-interval", interval,
						"rules apply their failure policy until a probe succeeds, and rules with 'failure: closed' send"
								+ " it as Retry-After"));
			}
			if (interval.compareTo(SHORT_INTERVAL) < 0) {
				warnings.add(warning("circuit.probe-interval", interval,
						"each instance calls an unavailable Redis this often"));
			}
			List<String> methods = properties.idempotency().methods();
			MethodNames.check("ratelimit.idempotency.methods",
					methods.stream().map((method) -> method.toUpperCase(Locale.ROOT)).toList(), warnings::add);
			return warnings;
		}

		private static String warning(String name, Duration value, String text) {
			return "ratelimit." + name + " = '" + value + "': " + text;
		}

	}

}
