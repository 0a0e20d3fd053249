package dev.ratelimit.web.graphql;

import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;

import dev.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.gate.PassageObserver;
import dev.ratelimit.web.RequestGate;
import dev.ratelimit.web.reactive.RateLimitWebFluxAutoConfiguration;
import dev.ratelimit.web.reactive.ReactiveHandlers;
import dev.ratelimit.web.response.HeaderFactory;
import dev.ratelimit.web.servlet.RateLimitServletAutoConfiguration;
import dev.ratelimit.web.servlet.ServletHandlers;
import graphql.GraphQL;
import graphql.schema.GraphQLSchema;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.cloud.CloudPlatform;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.graphql.execution.GraphQlSource;
import org.springframework.web.filter.ForwardedHeaderFilter;
import org.springframework.web.filter.reactive.ServerWebExchangeContextFilter;

/**
 * {@link AutoConfiguration Auto-configuration} of limits of GraphQL operations.
 *
 * @since 0.1.0
 */
@AutoConfiguration(
		after = { RateLimitAutoConfiguration.class, RateLimitServletAutoConfiguration.class,
				RateLimitWebFluxAutoConfiguration.class },
		afterName = "org.springframework.boot.graphql.autoconfigure.GraphQlAutoConfiguration")
@ConditionalOnClass({ GraphQL.class, GraphQlSource.class })
@ConditionalOnBean({ RequestGate.class, GraphQlSource.class })
@EnableConfigurationProperties(GraphQlProperties.class)
public final class RateLimitGraphQlAutoConfiguration {

	@Bean
	static BeanPostProcessor rateLimitGraphQlSources(ObjectProvider<OperationGate> gate,
			ObjectProvider<HeaderFactory> headers, ObjectProvider<OperationCalls> calls,
			ObjectProvider<GraphQlProperties> properties) {
		return new BeanPostProcessor() {

			@Override
			public Object postProcessAfterInitialization(Object bean, String beanName) {
				return (bean instanceof GraphQlSource source) ? limited(source) : bean;
			}

			private GraphQlSource limited(GraphQlSource source) {
				GraphQLSchema schema = source.schema();
				GraphQL limited = source.graphQl()
					.transform((builder) -> builder.preparsedDocumentProvider(new LimitedDocumentProvider(
							source.graphQl().getPreparsedDocumentProvider(), schema, gate.getObject(),
							headers.getObject(), calls.getObject().executor(), properties.getObject().maxFields())));
				return new LimitedSource(limited, schema);
			}

		};
	}

	@Bean
	OperationGate rateLimitOperationGate(RateLimitEngine engine, RequestGate requests,
			ObjectProvider<PassageObserver> observer) {
		return new OperationGate(engine, requests, observer.getIfAvailable(() -> PassageObserver.NONE));
	}

	@Bean
	RateLimitGraphQlInterceptor rateLimitGraphQlInterceptor(OperationCalls calls, HeaderFactory headers) {
		return new RateLimitGraphQlInterceptor(calls, headers);
	}

	@Bean
	OperationErrors rateLimitGraphQlErrors(HeaderFactory headers) {
		return new OperationErrors(headers);
	}

	/**
	 * Configuration for operations over servlets.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	@ConditionalOnBean(ServletHandlers.class)
	static class OverServlets {

		private static final String EXECUTOR = "applicationTaskExecutor";

		@Bean
		OperationCalls rateLimitOperationCalls(ServletHandlers handlers, RequestGate requests, Environment environment,
				ListableBeanFactory beans) {
			Executor executor = (beans.containsBean(EXECUTOR)) ? beans.getBean(EXECUTOR, Executor.class)
					: ForkJoinPool.commonPool();
			return new ServletOperationCalls(handlers, requests.addresses(), isRewritten(environment, beans), executor);
		}

		// Whether the address is rewritten from headers, which are already removed at the
		// handshake.
		private static boolean isRewritten(Environment environment, ListableBeanFactory beans) {
			String strategy = environment.getProperty("server.forward-headers-strategy", "");
			CloudPlatform platform = CloudPlatform.getActive(environment);
			boolean byDefault = strategy.isEmpty() && platform != null && platform.isUsingForwardHeaders();
			return byDefault || (!strategy.isEmpty() && !strategy.equalsIgnoreCase("none"))
					|| beans.getBeanNamesForType(ForwardedHeaderFilter.class, true, false).length > 0;
		}

	}

	/**
	 * Configuration for operations over WebFlux.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	@ConditionalOnBean(ReactiveHandlers.class)
	static class OverWebFlux {

		@Bean
		OperationCalls rateLimitOperationCalls(ReactiveHandlers handlers, RequestGate requests) {
			return new ReactiveOperationCalls(handlers, requests.addresses());
		}

		@Bean
		@ConditionalOnMissingBean
		ServerWebExchangeContextFilter rateLimitExchangeContextFilter() {
			return new ServerWebExchangeContextFilter();
		}

	}

	/**
	 * The GraphQL source of the application, with a limited document provider.
	 *
	 * @param graphQl executes operations
	 * @param schema the schema
	 */
	private record LimitedSource(GraphQL graphQl, GraphQLSchema schema) implements GraphQlSource {
	}

}
