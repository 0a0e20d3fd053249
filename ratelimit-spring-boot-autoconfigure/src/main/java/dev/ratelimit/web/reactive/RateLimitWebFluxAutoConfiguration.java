package dev.ratelimit.web.reactive;

import java.security.Principal;
import java.util.function.Predicate;

import dev.ratelimit.Phase;
import dev.ratelimit.autoconfigure.BansCondition;
import dev.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import dev.ratelimit.autoconfigure.WebGateConfiguration;
import dev.ratelimit.autoconfigure.WebStack;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.gate.PassageObserver;
import dev.ratelimit.web.Callers;
import dev.ratelimit.web.RequestGate;
import dev.ratelimit.web.response.HeaderFactory;
import dev.ratelimit.web.response.RejectionFactory;
import dev.ratelimit.web.response.Tarpits;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration;
import org.springframework.boot.webflux.autoconfigure.WebHttpHandlerBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;
import org.springframework.core.annotation.Order;
import org.springframework.security.authentication.AuthenticationTrustResolverImpl;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.server.WebFilterChainProxy;
import org.springframework.util.ClassUtils;
import org.springframework.web.filter.reactive.ServerWebExchangeContextFilter;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.result.method.annotation.ArgumentResolverConfigurer;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.server.WebFilter;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * {@link AutoConfiguration Auto-configuration} of the WebFlux filters, one before Spring
 * Security's and one after it.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { RateLimitAutoConfiguration.class, WebFluxAutoConfiguration.class })
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass({ DispatcherHandler.class, WebFluxAutoConfiguration.class })
@ConditionalOnBean(RateLimitEngine.class)
@Import(WebGateConfiguration.class)
public final class RateLimitWebFluxAutoConfiguration {

	@Bean
	ReactiveHandlers rateLimitReactiveHandlers(ListableBeanFactory beans) {
		return new ReactiveHandlers(
				() -> BeanFactoryUtils.beansOfTypeIncludingAncestors(beans, HandlerMapping.class, true, false)
					.values()
					.stream()
					.sorted(AnnotationAwareOrderComparator.INSTANCE)
					.toList());
	}

	@Bean
	ReactiveCallOrigin rateLimitCallOrigin() {
		return new ReactiveCallOrigin();
	}

	// Provides the exchange to limited methods, because strikes depend on it.
	@Bean
	@ConditionalOnMissingBean
	@Conditional(BansCondition.class)
	ServerWebExchangeContextFilter rateLimitExchangeContextFilter() {
		return new ServerWebExchangeContextFilter();
	}

	@Bean
	WebStack rateLimitWebHandlers(ReactiveHandlers handlers, ObjectProvider<RequestMappingHandlerMapping> mappings,
			ListableBeanFactory beans) {
		return new WebStack(handlers::routes, handlers::preceded, "",
				() -> mappings.orderedStream()
					.map(RequestMappingHandlerMapping::getPathPatternParser)
					.findFirst()
					.orElse(PathPatternParser.defaultInstance),
				Security.isSetUp(beans), handlers.mappings());
	}

	@Bean
	ReactiveRejections rateLimitReactiveRejections(RejectionFactory rejections, ListableBeanFactory beans,
			Tarpits tarpits) {
		return new ReactiveRejections(rejections, new ReactiveCors(new ReactiveCorsFilters(beans),
				() -> beans.getBeanProvider(HandlerMapping.class).orderedStream().toList()), tarpits);
	}

	@Bean
	@ConditionalOnMissingBean(name = "rateLimitEarlyFilter")
	WebFilter rateLimitEarlyFilter(RequestGate gate, HeaderFactory headers, ReactiveRejections rejections,
			ReactiveHandlers handlers, ObjectProvider<PassageObserver> passages) {
		return observed(passages, new RateLimitWebFilter(Phase.EARLY, WebGateConfiguration.SECURITY_ORDER - 1, gate,
				headers, rejections, handlers, Security.authenticated()));
	}

	@Bean
	@ConditionalOnMissingBean(name = "rateLimitLateFilter")
	WebFilter rateLimitLateFilter(RequestGate gate, HeaderFactory headers, ReactiveRejections rejections,
			ReactiveHandlers handlers, ObjectProvider<PassageObserver> passages) {
		return observed(passages, new RateLimitWebFilter(Phase.LATE, WebGateConfiguration.SECURITY_ORDER + 1, gate,
				headers, rejections, handlers, Security.authenticated()));
	}

	@Bean
	@ConditionalOnMissingBean(name = "rateLimitRewrittenPathFilter")
	WebFilter rateLimitRewrittenPathFilter(RequestGate gate, HeaderFactory headers, ReactiveRejections rejections,
			ReactiveHandlers handlers, ObjectProvider<PassageObserver> passages) {
		return observed(passages, new RewrittenPathWebFilter(new RateLimitWebFilter(Phase.LATE,
				Ordered.LOWEST_PRECEDENCE, gate, headers, rejections, handlers, Security.authenticated())));
	}

	@Bean
	NamedRulesFilter rateLimitNamedRulesFilter(RequestGate gate, HeaderFactory headers, ReactiveRejections rejections,
			ReactiveHandlers handlers) {
		return new RateLimitWebFilter(Phase.LATE, Ordered.LOWEST_PRECEDENCE, gate, headers, rejections, handlers,
				Security.authenticated())
			.named();
	}

	private static <F extends WebFilter & Ordered> WebFilter observed(ObjectProvider<PassageObserver> passages,
			F filter) {
		return (passages.stream().findAny().isPresent()) ? new ObservedWebFilter(filter) : filter;
	}

	// Runs last, because other customizers may add filters.
	@Bean
	@Order(Ordered.LOWEST_PRECEDENCE)
	WebHttpHandlerBuilderCustomizer rateLimitIdleFilters(RequestGate gate) {
		return (builder) -> builder.filters((filters) -> IdleFilters.removeFrom(filters, gate));
	}

	@Bean
	RejectedCallHandler rateLimitRejectedCallHandler(ReactiveRejections rejections, ReactiveHandlers handlers,
			Callers callers) {
		return new RejectedCallHandler(rejections, handlers, callers.addresses());
	}

	@Bean
	WebFluxConfigurer rateLimitContextArguments() {
		return new WebFluxConfigurer() {

			@Override
			public void configureArgumentResolvers(ArgumentResolverConfigurer configurer) {
				configurer.addCustomResolver(new ReactiveContextArgumentResolver());
			}

		};
	}

	/**
	 * Checks for Spring Security, if it is on the class path.
	 */
	private static final class Security {

		private static final boolean PRESENT = ClassUtils.isPresent(
				"org.springframework.security.web.server.WebFilterChainProxy",
				RateLimitWebFluxAutoConfiguration.class.getClassLoader());

		static boolean isSetUp(ListableBeanFactory beans) {
			return PRESENT && Chain.isSetUp(beans);
		}

		static Predicate<Principal> authenticated() {
			return (PRESENT) ? Chain.authenticated() : (principal) -> true;
		}

	}

	/**
	 * The filter chain. Loaded only if Spring Security is on the class path.
	 */
	private static final class Chain {

		static boolean isSetUp(ListableBeanFactory beans) {
			return beans.getBeanNamesForType(WebFilterChainProxy.class, true, false).length > 0;
		}

		static Predicate<Principal> authenticated() {
			AuthenticationTrustResolverImpl trust = new AuthenticationTrustResolverImpl();
			return (principal) -> !(principal instanceof Authentication authentication
					&& trust.isAnonymous(authentication));
		}

	}

}
