package dev.ratelimit.client;

import java.util.List;

import dev.ratelimit.RateLimiter;
import dev.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import dev.ratelimit.engine.Editions;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.restclient.RestClientCustomizer;
import org.springframework.boot.restclient.RestTemplateCustomizer;
import org.springframework.boot.webclient.WebClientCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * {@link AutoConfiguration Auto-configuration} of quotas, if they are configured: HTTP
 * clients that Boot's builders create charge a rule before they send a request.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { RateLimitAutoConfiguration.class, RateLimitClientAutoConfiguration.class },
		afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass(ClientHttpRequestInterceptor.class)
@ConditionalOnBean(RateLimiter.class)
@Conditional(QuotasCondition.class)
public final class RateLimitQuotaAutoConfiguration {

	/**
	 * After the customizers of retries, which have no order, so that each attempt is
	 * charged.
	 */
	private static final int INSIDE_RETRIES = Integer.MAX_VALUE;

	@Bean
	@ConditionalOnMissingBean
	Quotas rateLimitQuotas(RateLimiter limiter, ClientProperties client, Editions editions,
			ObjectProvider<RetryTime> time, ObjectProvider<OutboundListener> listener, Environment environment) {
		List<Quota> quotas = client.writtenQuotas();
		if (!environment.getProperty("ratelimit.bans.enabled", Boolean.class, true)) {
			QuotaChecks.requireNoPauses(quotas);
		}
		editions.addCheck((rules) -> QuotaChecks.check(quotas, rules));
		return new Quotas(limiter, quotas, time.getIfAvailable(RetryTime::system),
				listener.getIfAvailable(() -> OutboundListener.NONE));
	}

	/**
	 * Blocking clients.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ RestClient.class, RestClientCustomizer.class })
	static final class Blocking {

		@Bean
		@Order(INSIDE_RETRIES)
		RestClientCustomizer rateLimitQuotaRestClientCustomizer(Quotas quotas) {
			return (builder) -> builder.requestInterceptor(new QuotaInterceptor(quotas));
		}

		@Bean
		@Order(INSIDE_RETRIES)
		RestTemplateCustomizer rateLimitQuotaRestTemplateCustomizer(Quotas quotas) {
			return (template) -> template.getInterceptors().add(new QuotaInterceptor(quotas));
		}

	}

	/**
	 * Reactive clients.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ WebClient.class, WebClientCustomizer.class })
	static final class Reactive {

		@Bean
		@Order(INSIDE_RETRIES)
		WebClientCustomizer rateLimitQuotaWebClientCustomizer(Quotas quotas) {
			return (builder) -> builder.filter(new QuotaFilter(quotas));
		}

	}

}
