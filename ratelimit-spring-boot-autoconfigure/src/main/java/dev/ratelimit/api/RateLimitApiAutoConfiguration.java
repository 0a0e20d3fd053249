package dev.ratelimit.api;

import java.util.Optional;

import dev.ratelimit.autoconfigure.RateLimitProperties;
import dev.ratelimit.autoconfigure.WebStack;
import dev.ratelimit.base.AuthorityProperties;
import dev.ratelimit.base.FailureStatus;
import dev.ratelimit.base.Namespaces;
import dev.ratelimit.base.PrincipalAuthorities;
import dev.ratelimit.base.StoreConfigurationException;
import dev.ratelimit.base.WallClock;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.live.edit.RuleEditingConfiguration;
import dev.ratelimit.live.edit.RuleEditor;
import dev.ratelimit.web.RequestGate;
import dev.ratelimit.web.reactive.BodyLimitWebFilter;
import dev.ratelimit.web.response.HeaderFactory;
import dev.ratelimit.web.servlet.BodyLimitInterceptor;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.ResourceLoader;
import org.springframework.web.servlet.handler.MappedInterceptor;

/**
 * {@link AutoConfiguration Auto-configuration} of the HTTP API.
 *
 * @since 0.1.0
 */
@AutoConfiguration(afterName = { "dev.ratelimit.web.servlet.RateLimitServletAutoConfiguration",
		"dev.ratelimit.web.reactive.RateLimitWebFluxAutoConfiguration",
		"dev.ratelimit.live.RateLimitLiveAutoConfiguration" })
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@EnableConfigurationProperties(ApiProperties.class)
public final class RateLimitApiAutoConfiguration {

	private static final long MAX_BYTES = 64 * 1024;

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty("ratelimit.api.enabled")
	@ConditionalOnBean(RequestGate.class)
	@Import(RuleEditingConfiguration.class)
	static class Enabled {

		@Bean
		ApiGuard rateLimitApiGuard(RateLimitProperties properties, WebStack stack, ResourceLoader resources,
				Namespaces namespaces) {
			AuthorityProperties names = properties.authorities();
			@Nullable ClassLoader classes = resources.getClassLoader();
			if (!stack.phased()) {
				throw new StoreConfigurationException(
						"'ratelimit.api.enabled' is true, and nothing authenticates clients.",
						"Add spring-boot-starter-security and grant " + names.check() + ", " + names.read() + ", "
								+ names.write() + ".");
			}
			return new ApiGuard((client) -> PrincipalAuthorities.of(Optional.of(client), classes), names.check(),
					names.read(), names.write(), namespaces);
		}

		@Bean
		RateLimitController rateLimitController(RateLimitEngine engine, RequestGate gate, WebStack stack,
				HeaderFactory headers, ApiGuard guard, ObjectProvider<WallClock> clock, ApiProperties api) {
			return new RateLimitController(
					new Decisions(engine, gate, stack.mappings(), clock.getIfAvailable(WallClock::system).source()),
					headers, gate.settings().idempotencyKeys(), guard, api.path());
		}

		@Bean
		ConfigurationController rateLimitConfigurationController(RuleEditor editor, Editions editions, ApiGuard guard,
				ObjectProvider<FailureStatus<?>> failures) {
			return new ConfigurationController(editor, editions, guard, new ApiResponses(failures.stream().toList()));
		}

		@Bean
		QuotaController rateLimitQuotaController(RuleEditor editor, Editions editions, ApiGuard guard,
				ObjectProvider<FailureStatus<?>> failures) {
			return new QuotaController(editor, editions, guard, new ApiResponses(failures.stream().toList()));
		}

		/**
		 * Configuration for servlet.
		 */
		@Configuration(proxyBeanMethods = false)
		@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
		static class OnServlet {

			@Bean
			static MappedInterceptor rateLimitApiBodyInterceptor(ApiProperties api) {
				return new MappedInterceptor(new String[] { api.path() + "/**" }, new BodyLimitInterceptor(MAX_BYTES));
			}

		}

		/**
		 * Configuration for WebFlux.
		 */
		@Configuration(proxyBeanMethods = false)
		@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
		static class OnWebFlux {

			@Bean
			@Order(Ordered.HIGHEST_PRECEDENCE)
			BodyLimitWebFilter rateLimitApiBodyFilter(ApiProperties api) {
				return new BodyLimitWebFilter(api.path(), MAX_BYTES);
			}

		}

	}

}
