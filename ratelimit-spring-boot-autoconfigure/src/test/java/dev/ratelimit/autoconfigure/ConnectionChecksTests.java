package dev.ratelimit.autoconfigure;

import java.util.List;

import dev.ratelimit.connection.ConnectionSlots;
import dev.ratelimit.connection.RateLimitWebSocketAutoConfiguration;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.rule.Holder;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.rule.RuleOptions;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.mock.env.MockEnvironment;
import org.springframework.web.socket.WebSocketHandler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ConnectionChecksTests {

	private static final String[] RULE = { "ratelimit.rules.ws.paths=/ws/**", "ratelimit.rules.ws.key=global",
			"ratelimit.rules.ws.algorithm=concurrency", "ratelimit.rules.ws.limit=5" };

	private static final String HOLD = "ratelimit.rules.ws.hold=connection";

	private static final Class<?>[] PARTS = { RateLimitTimeAutoConfiguration.class,
			RateLimitMemoryStoreAutoConfiguration.class, RateLimitAutoConfiguration.class,
			RateLimitWebSocketAutoConfiguration.class };

	private final WebApplicationContextRunner servlet = new WebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(PARTS))
		.withPropertyValues(RULE);

	private final ReactiveWebApplicationContextRunner reactive = new ReactiveWebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(PARTS))
		.withPropertyValues(RULE);

	private static Rule live() {
		return RuleBuilder.rule("live")
			.key("global")
			.limits("5")
			.algorithm("concurrency")
			.paths("/**")
			.with(RuleOptions.HOLD, Holder.CONNECTION)
			.build();
	}

	@Test
	void nothingIsThereIfNoConnectionHoldsASlot() {
		this.servlet.run((context) -> {
			assertThat(context).doesNotHaveBean(ConnectionSlots.class)
				.doesNotHaveBean("rateLimitStompSessions")
				.doesNotHaveBean("rateLimitWebSocketHandlerMappings");
			assertThatExceptionOfType(InvalidRuleException.class)
				.isThrownBy(() -> context.getBean(Editions.class).adopt(List.of(live())))
				.withMessageEndingWith(".hold = 'connection': limits of connections are disabled");
		});
		this.reactive.run((context) -> assertThat(context).doesNotHaveBean(ConnectionSlots.class)
			.doesNotHaveBean("rateLimitWebSocketHandlerAdapters"));
	}

	@Test
	void aRuleOrAPropertyAsksForIt() {
		this.servlet.withPropertyValues(HOLD)
			.run((context) -> assertThat(context).hasSingleBean(ConnectionSlots.class)
				.hasBean("rateLimitStompSessions"));
		this.reactive.withPropertyValues("ratelimit.connections.enabled=true").run((context) -> {
			assertThat(context).hasSingleBean(ConnectionSlots.class).hasBean("rateLimitWebSocketHandlerAdapters");
			context.getBean(Editions.class).adopt(List.of(live()));
		});
		assertThat(ConnectionChecks.enabled(new MockEnvironment().withProperty("ratelimit.rules.ws.hold", "connection")
			.withProperty("ratelimit.connections.enabled", "false"))).isFalse();
	}

	@Test
	void anApplicationWithoutWebSocketsCannotLimitThem() {
		this.servlet.withClassLoader(new FilteredClassLoader(WebSocketHandler.class))
			.withPropertyValues("ratelimit.connections.enabled=true")
			.run((context) -> assertThatExceptionOfType(InvalidRuleException.class)
				.isThrownBy(() -> context.getBean(Editions.class).adopt(List.of(live())))
				.withMessageEndingWith("this application cannot limit WebSocket connections"));
	}

}
