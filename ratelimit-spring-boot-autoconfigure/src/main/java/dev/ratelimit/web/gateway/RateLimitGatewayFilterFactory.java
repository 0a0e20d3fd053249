package dev.ratelimit.web.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.KeyPart;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.rule.ShownText;
import dev.ratelimit.web.NamedRules;
import dev.ratelimit.web.reactive.NamedRulesFilter;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.OrderedGatewayFilter;
import org.springframework.cloud.gateway.filter.factory.AbstractGatewayFilterFactory;
import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.support.HasRouteId;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.web.server.ServerWebExchange;

/**
 * Internal: applies rules to the routes of Spring Cloud Gateway that reference them:
 * {@code filters: [ "RateLimit=orders,partner" ]}. The key {@code route} is the id of the
 * route, and {@code path:} reads the variables of its predicates. Rules that have already
 * charged a request are omitted. Thread-safe.
 */
public final class RateLimitGatewayFilterFactory
		extends AbstractGatewayFilterFactory<RateLimitGatewayFilterFactory.Config> {

	private final Supplier<NamedRulesFilter> gate;

	private final Editions editions;

	private final Supplier<RouteLocator> locator;

	private volatile boolean used;

	/**
	 * Create a factory, and add a check to the editions: live rules must not remove rules
	 * that a route references.
	 * @param gate provides the filter that applies the rules; called when a route is
	 * built
	 * @param editions the editions of the rules
	 * @param locator provides the routes of the gateway; called after a route is built
	 */
	public RateLimitGatewayFilterFactory(Supplier<NamedRulesFilter> gate, Editions editions,
			Supplier<RouteLocator> locator) {
		super(Config.class);
		this.gate = gate;
		this.editions = editions;
		this.locator = locator;
		editions.addCheck(this::check);
	}

	@Override
	public List<String> shortcutFieldOrder() {
		return List.of("rules");
	}

	@Override
	public ShortcutType shortcutType() {
		return ShortcutType.GATHER_LIST;
	}

	/**
	 * Create the filter of a route.
	 * @param config the configuration, with the ids of the rules
	 * @return the filter
	 * @throws InvalidRuleException if a rule does not exist, or if it cannot be applied
	 * to requests
	 */
	@Override
	public GatewayFilter apply(Config config) {
		RouteFilter filter = new RouteFilter(this.gate.get(), config.getRouteId(), List.copyOf(config.getRules()));
		Map<String, CompiledRule> rules = this.editions.current().compiled();
		filter.check((id) -> Optional.ofNullable(rules.get(id)).map(CompiledRule::rule));
		this.used = true;
		return filter;
	}

	private void check(RuleSet next) {
		if (!this.used) {
			return;
		}
		for (Route route : routes()) {
			for (GatewayFilter filter : route.getFilters()) {
				if (unordered(filter) instanceof RouteFilter named) {
					named.of(route).check((id) -> Optional.ofNullable(next.rules().get(id)));
				}
			}
		}
	}

	// The gateway keeps its routes in memory. Routes that are not built yet are checked
	// later, when they are built.
	private List<Route> routes() {
		CompletableFuture<List<Route>> routes = new CompletableFuture<>();
		this.locator.get().getRoutes().collectList().subscribe(routes::complete, routes::completeExceptionally);
		return (routes.isCompletedExceptionally()) ? List.of() : routes.getNow(List.of());
	}

	private static GatewayFilter unordered(GatewayFilter filter) {
		return (filter instanceof OrderedGatewayFilter ordered) ? ordered.getDelegate() : filter;
	}

	/**
	 * The rules of a route. Not thread-safe.
	 */
	public static final class Config implements HasRouteId {

		private List<String> rules = List.of();

		private @Nullable String routeId;

		/**
		 * The ids of the rules.
		 * @return the ids
		 */
		public List<String> getRules() {
			return this.rules;
		}

		/**
		 * Set the rules.
		 * @param rules the ids of the rules, at least one
		 */
		public void setRules(List<String> rules) {
			this.rules = new ArrayList<>(rules);
		}

		@Override
		public @Nullable String getRouteId() {
			return this.routeId;
		}

		@Override
		public void setRouteId(String routeId) {
			this.routeId = routeId;
		}

	}

	/**
	 * Finds a rule by its id.
	 */
	private interface Rules {

		Optional<Rule> find(String id);

	}

	/**
	 * Applies the rules of one route.
	 *
	 * @param gate the filter that applies the rules
	 * @param routeId the id of the route; null if it is not known yet
	 * @param ids the ids of the rules
	 */
	private record RouteFilter(NamedRulesFilter gate, @Nullable String routeId,
			List<String> ids) implements GatewayFilter {

		@Override
		public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
			Route route = exchange.getRequiredAttribute(ServerWebExchangeUtils.GATEWAY_ROUTE_ATTR);
			NamedRules named = new NamedRules(this.ids, route.getId(),
					ServerWebExchangeUtils.getUriTemplateVariables(exchange));
			return this.gate.filter(named, this, exchange, chain::filter);
		}

		RouteFilter of(Route route) {
			return new RouteFilter(this.gate, route.getId(), this.ids);
		}

		void check(Rules rules) {
			if (this.ids.isEmpty()) {
				throw invalid("", "the filter RateLimit has no rule", "Name at least one, such as 'RateLimit=orders'.");
			}
			this.ids.forEach((id) -> check(id, rules));
		}

		private void check(String id, Rules rules) {
			Rule rule = rules.find(id)
				.orElseThrow(() -> invalid("", ShownText.unknownRule(id), "Add 'ratelimit.rules." + id
						+ "' with 'programmatic: true', or correct the filter RateLimit."));
			if (rule.descriptor().isPresent()) {
				throw invalid(id, "the rule applies to calls of Envoy only", "Name a rule without 'descriptor'.");
			}
			for (KeyPart part : rule.key().parts()) {
				if (part.kind() == KeyPart.Kind.ARG) {
					throw invalid(part.toString(), "requests have no arguments, only calls of bean methods have",
							"Use another key, such as 'param:' or 'path:'.");
				}
			}
		}

		private InvalidRuleException invalid(String value, String reason, String action) {
			return new InvalidRuleException((this.routeId != null) ? "route '" + this.routeId + "'" : "a route", value,
					reason, action);
		}

	}

}
