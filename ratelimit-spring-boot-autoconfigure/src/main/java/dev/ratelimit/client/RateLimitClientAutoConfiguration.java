package dev.ratelimit.client;

import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.restclient.RestClientCustomizer;
import org.springframework.boot.restclient.RestTemplateCustomizer;
import org.springframework.boot.webclient.WebClientCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * {@link AutoConfiguration Auto-configuration} of HTTP clients: the retries of clients
 * that Boot's builders create, if they are enabled, and the meters of retries and quotas.
 *
 * @since 0.1.0
 */
@AutoConfiguration(
		afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@EnableConfigurationProperties(ClientProperties.class)
public final class RateLimitClientAutoConfiguration {

	/**
	 * The retries of all clients.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ClientHttpRequestInterceptor.class)
	@ConditionalOnBooleanProperty(name = "ratelimit.client.enabled")
	static final class Retries {

		@Bean
		@ConditionalOnMissingBean
		RateLimitRetry rateLimitRetry(ClientProperties client, ObjectProvider<RetryTime> time,
				ObjectProvider<OutboundListener> listener) {
			return new RateLimitRetry(client.settings(), time.getIfAvailable(RetryTime::system),
					listener.getIfAvailable(() -> OutboundListener.NONE));
		}

	}

	/**
	 * The meters of clients, if there is a registry of meters.
	 */
	@Configuration(proxyBeanMethods = false)
	@Conditional(OutboundCondition.class)
	@ConditionalOnClass({ ClientHttpRequestInterceptor.class, MeterRegistry.class })
	static final class Meters {

		@Bean
		@ConditionalOnBean(MeterRegistry.class)
		@ConditionalOnMissingBean(OutboundListener.class)
		OutboundMetrics rateLimitOutboundMetrics(MeterRegistry meters, ClientProperties client) {
			return new OutboundMetrics(meters, client.enabled());
		}

	}

	/**
	 * The interceptors of blocking clients. Each builder has a separate interceptor with
	 * a separate budget.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = "ratelimit.client.enabled")
	@ConditionalOnClass({ ClientHttpRequestInterceptor.class, RestClient.class, RestClientCustomizer.class })
	static final class Blocking {

		@Bean
		RestClientCustomizer rateLimitRestClientCustomizer(RateLimitRetry retry) {
			return (builder) -> builder.requestInterceptor(new RateLimitRetryInterceptor(retry));
		}

		// Before the interceptors of the application, so that each attempt is signed
		// again.
		@Bean
		RestTemplateCustomizer rateLimitRestTemplateCustomizer(RateLimitRetry retry) {
			return (template) -> template.getInterceptors().add(0, new RateLimitRetryInterceptor(retry));
		}

	}

	/**
	 * The filters of reactive clients. Each builder has a separate filter with a separate
	 * budget.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = "ratelimit.client.enabled")
	@ConditionalOnClass({ ClientHttpRequestInterceptor.class, WebClient.class, WebClientCustomizer.class })
	static final class Reactive {

		@Bean
		WebClientCustomizer rateLimitWebClientCustomizer(RateLimitRetry retry) {
			return (builder) -> builder.filter(new RateLimitRetryFilter(retry));
		}

	}

	/**
	 * Matches if clients retry, or charge quotas.
	 */
	static final class OutboundCondition extends AnyNestedCondition {

		OutboundCondition() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		@ConditionalOnBooleanProperty(name = "ratelimit.client.enabled")
		static final class Retrying {

		}

		@Conditional(QuotasCondition.class)
		static final class Charging {

		}

	}

}
