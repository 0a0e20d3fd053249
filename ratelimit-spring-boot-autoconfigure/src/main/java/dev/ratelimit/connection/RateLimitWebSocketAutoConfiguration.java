package dev.ratelimit.connection;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.autoconfigure.ConnectionsCondition;
import dev.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import dev.ratelimit.autoconfigure.StartCheck;
import dev.ratelimit.autoconfigure.WebStack;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.rule.Holder;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.PathCover;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.Upkeep;
import dev.ratelimit.web.reactive.RateLimitWebFluxAutoConfiguration;
import dev.ratelimit.web.servlet.RateLimitServletAutoConfiguration;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.reactive.socket.server.support.WebSocketHandlerAdapter;
import org.springframework.web.servlet.handler.AbstractUrlHandlerMapping;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.config.annotation.WebSocketMessageBrokerConfigurer;
import org.springframework.web.socket.config.annotation.WebSocketTransportRegistration;

/**
 * {@link AutoConfiguration Auto-configuration} of limits of WebSocket connections, if a
 * rule has {@code hold} or the limits are enabled.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { RateLimitAutoConfiguration.class, RateLimitServletAutoConfiguration.class,
		RateLimitWebFluxAutoConfiguration.class })
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@EnableConfigurationProperties(ConnectionProperties.class)
public final class RateLimitWebSocketAutoConfiguration {

	/**
	 * WebSocket on servlet servers.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBean({ Editions.class, Upkeep.class, Time.class })
	@Conditional(ConnectionsCondition.class)
	@ConditionalOnClass(WebSocketHandler.class)
	@ConditionalOnWebApplication(type = Type.SERVLET)
	@Import(ConnectionSlotsConfiguration.class)
	static class Servlet {

		@Bean
		static WebSocketHandlerMappings rateLimitWebSocketHandlerMappings(ObjectProvider<ConnectionSlots> slots) {
			return new WebSocketHandlerMappings(slots::getObject);
		}

		@Bean
		StartCheck rateLimitWebSocketCheck(Editions editions, ObjectProvider<AbstractUrlHandlerMapping> mappings,
				ObjectProvider<WebStack> stack) {
			return () -> editions.addCheck((rules) -> {
				String prefix = Optional.ofNullable(stack.getIfAvailable()).map(WebStack::prefix).orElse("");
				rules.rules()
					.values()
					.stream()
					.filter((rule) -> rule.reaction().holding().by() == Holder.CONNECTION)
					.forEach((rule) -> requireLimited(rule, mappings.stream().toList(), prefix));
			});
		}

		private static void requireLimited(Rule rule, List<AbstractUrlHandlerMapping> mappings, String prefix) {
			WebSocketHandlerMappings.unlimited(mappings, (path) -> mayReach(rule, prefix + path)).ifPresent((path) -> {
				throw new InvalidRuleException(rule.location() + ".hold", "connection",
						"the WebSocket handler of '" + path + "' does not report when its connections are closed",
						"Register it as LimitedWebSocketHandler.of(handler), or add the path to 'except-paths'.");
			});
		}

		private static boolean mayReach(Rule rule, String path) {
			return rule.match().paths().stream().anyMatch((pattern) -> PathCover.mayMeet(pattern, path))
					&& rule.match().exceptPaths().stream().noneMatch((except) -> PathCover.covers(except, path));
		}

		@Bean
		@ConditionalOnClass(name = "org.springframework.messaging.Message")
		WebSocketMessageBrokerConfigurer rateLimitStompSessions() {
			return new WebSocketMessageBrokerConfigurer() {

				@Override
				public void configureWebSocketTransport(WebSocketTransportRegistration transport) {
					transport.addDecoratorFactory(LimitedWebSocketHandler::of);
				}

			};
		}

	}

	/**
	 * WebSocket on WebFlux.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBean({ Editions.class, Upkeep.class, Time.class })
	@Conditional(ConnectionsCondition.class)
	@ConditionalOnClass(WebSocketHandlerAdapter.class)
	@ConditionalOnWebApplication(type = Type.REACTIVE)
	@Import(ConnectionSlotsConfiguration.class)
	static class Reactive {

		@Bean
		static BeanPostProcessor rateLimitWebSocketHandlerAdapters(ObjectProvider<ConnectionSlots> slots) {
			return new BeanPostProcessor() {

				@Override
				public Object postProcessAfterInitialization(Object bean, String name) {
					if (bean.getClass() != WebSocketHandlerAdapter.class) {
						return bean;
					}
					WebSocketHandlerAdapter adapter = (WebSocketHandlerAdapter) bean;
					WebSocketHandlerAdapter limited = new WebSocketHandlerAdapter(
							new LimitedWebSocketService(adapter.getWebSocketService(), slots.getObject()));
					limited.setOrder(adapter.getOrder());
					return limited;
				}

			};
		}

	}

}
