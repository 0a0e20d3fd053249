package dev.ratelimit.web.servlet;

import java.util.List;

import dev.ratelimit.Phase;
import dev.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import dev.ratelimit.autoconfigure.RateLimitProperties;
import dev.ratelimit.autoconfigure.WebGateConfiguration;
import dev.ratelimit.autoconfigure.WebStack;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.gate.WaitingThreads;
import dev.ratelimit.store.Time;
import dev.ratelimit.web.Callers;
import dev.ratelimit.web.RequestGate;
import dev.ratelimit.web.response.HeaderFactory;
import dev.ratelimit.web.response.RejectionFactory;
import dev.ratelimit.web.response.Tarpits;
import jakarta.servlet.DispatcherType;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletPath;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;
import org.springframework.core.env.Environment;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.ExceptionHandlerExceptionResolver;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * {@link AutoConfiguration Auto-configuration} of the servlet filters, one before Spring
 * Security's and one after it.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { RateLimitAutoConfiguration.class, WebMvcAutoConfiguration.class })
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({ DispatcherServlet.class, FilterRegistrationBean.class, DispatcherServletPath.class })
@ConditionalOnBean(RateLimitEngine.class)
@Import(WebGateConfiguration.class)
public final class RateLimitServletAutoConfiguration {

	private static final String SECURITY_FILTER = "springSecurityFilterChain";

	@Bean
	ServletHandlers rateLimitServletHandlers(ListableBeanFactory beans) {
		return new ServletHandlers(
				() -> BeanFactoryUtils.beansOfTypeIncludingAncestors(beans, HandlerMapping.class, true, false)
					.values()
					.stream()
					.sorted(AnnotationAwareOrderComparator.INSTANCE)
					.toList());
	}

	@Bean
	WebStack rateLimitWebHandlers(ServletHandlers handlers, ObjectProvider<DispatcherServletPath> path,
			ObjectProvider<RequestMappingHandlerMapping> mappings, BeanFactory beans) {
		String prefix = path.stream().map(DispatcherServletPath::getPrefix).findFirst().orElse("");
		return new WebStack(handlers::routes, handlers::preceded, prefix,
				() -> mappings.orderedStream()
					.map(RequestMappingHandlerMapping::getPatternParser)
					.findFirst()
					.orElse(PathPatternParser.defaultInstance),
				beans.containsBean(SECURITY_FILTER), handlers.mappings(prefix));
	}

	@Bean
	ServletCallOrigin rateLimitCallOrigin() {
		return new ServletCallOrigin();
	}

	@Bean
	ServletThreads rateLimitServletThreads(RateLimitProperties properties, WebApplicationContext context, Time time) {
		return new ServletThreads(new WaitingThreads(properties.servlet().maxWaiting()),
				FormThreads.of(context.getEnvironment(), context.getServletContext(), time));
	}

	@Bean
	ServletRejections rateLimitServletRejections(RejectionFactory rejections, ListableBeanFactory beans,
			Tarpits tarpits) {
		return new ServletRejections(rejections, new ServletCors(new ServletCorsFilters(beans),
				() -> beans.getBeanProvider(HandlerMapping.class).orderedStream().toList()), tarpits);
	}

	@Bean
	@ConditionalOnMissingBean(name = "rateLimitEarlyFilter")
	FilterRegistrationBean<RateLimitFilter> rateLimitEarlyFilter(RequestGate gate, HeaderFactory headers,
			ServletRejections rejections, ServletHandlers handlers, ServletThreads threads, Environment environment) {
		FilterRegistrationBean<RateLimitFilter> early = registration(
				new RateLimitFilter(Phase.EARLY, gate, headers, rejections, handlers, threads), "rateLimitEarlyFilter",
				securityOrder(environment) - 1);
		// If no authentication runs between the phases, all rules are late.
		early.setEnabled(gate.settings().phased());
		return early;
	}

	@Bean
	@ConditionalOnMissingBean(name = "rateLimitLateFilter")
	FilterRegistrationBean<RateLimitFilter> rateLimitLateFilter(RequestGate gate, HeaderFactory headers,
			ServletRejections rejections, ServletHandlers handlers, ServletThreads threads, Environment environment) {
		return registration(new RateLimitFilter(Phase.LATE, gate, headers, rejections, handlers, threads),
				"rateLimitLateFilter", securityOrder(environment) + 1);
	}

	// Not a registration bean, because these precede all plain filter beans of the same
	// order.
	@Bean
	@ConditionalOnMissingBean(name = "rateLimitRewrittenPathFilter")
	@FilterRegistration(name = "rateLimitRewrittenPathFilter",
			dispatcherTypes = { DispatcherType.REQUEST, DispatcherType.FORWARD })
	RewrittenPathFilter rateLimitRewrittenPathFilter(RequestGate gate, HeaderFactory headers,
			ServletRejections rejections, ServletHandlers handlers, ServletThreads threads) {
		return new RewrittenPathFilter(new RateLimitFilter(Phase.LATE, gate, headers, rejections, handlers, threads));
	}

	@Bean
	RequestEndListener rateLimitRequestEndListener() {
		return new RequestEndListener();
	}

	@Bean
	WebMvcConfigurer rateLimitContextArguments() {
		return new WebMvcConfigurer() {

			@Override
			public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
				resolvers.add(new ServletContextArgumentResolver());
			}

		};
	}

	@Bean
	WebMvcConfigurer rateLimitRejectedCalls(ObjectProvider<ServletRejections> rejections, ServletHandlers handlers,
			ObjectProvider<Callers> callers) {
		return new WebMvcConfigurer() {

			@Override
			public void extendHandlerExceptionResolvers(List<HandlerExceptionResolver> resolvers) {
				// The @ExceptionHandler methods of the application take precedence.
				int own = (resolvers.isEmpty() || !(resolvers.get(0) instanceof ExceptionHandlerExceptionResolver)) ? 0
						: 1;
				resolvers.add(own,
						new RejectedCallResolver(rejections.getObject(), handlers, callers.getObject().addresses()));
			}

		};
	}

	private static int securityOrder(Environment environment) {
		return environment.getProperty("spring.security.filter.order", Integer.class,
				WebGateConfiguration.SECURITY_ORDER);
	}

	private static FilterRegistrationBean<RateLimitFilter> registration(RateLimitFilter filter, String name,
			int order) {
		FilterRegistrationBean<RateLimitFilter> registration = new FilterRegistrationBean<>(filter);
		registration.setName(name);
		registration.setOrder(order);
		registration.setDispatcherTypes(DispatcherType.REQUEST, DispatcherType.FORWARD);
		return registration;
	}

}
