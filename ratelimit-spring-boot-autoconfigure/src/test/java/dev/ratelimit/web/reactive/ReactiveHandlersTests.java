package dev.ratelimit.web.reactive;

import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import dev.ratelimit.address.ClientAddresses;
import dev.ratelimit.rule.AnnotatedMethod;
import dev.ratelimit.rule.AnnotatedRules;
import dev.ratelimit.web.HandlerIndex;
import dev.ratelimit.web.HandlerKey;
import dev.ratelimit.web.HandlerQuestion;
import dev.ratelimit.web.HandlerRoute;
import dev.ratelimit.web.OverlappingControllers;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;

import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.support.StaticApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.handler.AbstractHandlerMapping;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.server.ServerWebExchange;

import static org.assertj.core.api.Assertions.assertThat;

class ReactiveHandlersTests {

	private final RequestMappingHandlerMapping mapping = new RequestMappingHandlerMapping();

	private ReactiveHandlers handlers = new ReactiveHandlers(List::of);

	private Set<? extends AnnotatedMethod> limited = Set.of();

	@BeforeEach
	void mapControllers() {
		StaticApplicationContext context = new StaticApplicationContext();
		OverlappingControllers.TYPES.forEach((type) -> context.registerSingleton(type.getName(), type));
		context.refresh();
		this.mapping.setApplicationContext(context);
		this.mapping.afterPropertiesSet();
		this.handlers = new ReactiveHandlers(() -> List.of(this.mapping));
		List<HandlerKey> keys = this.handlers.routes().stream().map(HandlerRoute::handler).toList();
		this.limited = AnnotatedRules.of(keys).byMethod().keySet();
	}

	@Test
	void indexFindsTheHandlerThatTheMappingFinds() {
		HandlerIndex index = new HandlerIndex(this.handlers.routes(), this.limited::contains, "");
		Map<String, String> differences = new HashMap<>();
		Set<String> found = new TreeSet<>();
		for (HandlerQuestion question : HandlerQuestion.all()) {
			Optional<HandlerKey> expected = servedBy(question).filter(this.limited::contains);
			Optional<HandlerKey> actual = find(index, exchange(question));
			expected.ifPresent((handler) -> found.add(handler.toString()));
			if (!actual.equals(expected)) {
				differences.put(question.toString(), "mapping: " + expected + ", index: " + actual);
			}
		}
		assertThat(differences).isEmpty();
		assertThat(found).hasSameSizeAs(this.limited);
	}

	@Test
	void askingLeavesNoTraceOnTheExchange() {
		MockServerWebExchange exchange = exchange(
				new HandlerQuestion("GET", "/split/params", "v=1", Map.of("X-V", "1")));
		Map<String, Object> before = Map.copyOf(exchange.getAttributes());
		assertThat(this.handlers.findHandler(exchange).join()).isPresent();
		assertThat(exchange.getAttributes()).isEqualTo(before);
	}

	@Test
	void askingLeavesNoCorsFieldsOnTheResponse() {
		this.mapping.setCorsConfigurations(Map.of("/**", new CorsConfiguration().applyPermitDefaultValues()));
		MockServerWebExchange exchange = exchange(new HandlerQuestion("GET", "/split/params", "v=1",
				Map.of("X-V", "1", "Origin", "https://app.example.org")));
		assertThat(this.handlers.findHandler(exchange).join()).isPresent();
		assertThat(exchange.getResponse().getHeaders().headerNames()).isEmpty();
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void failingMappingIsSkippedAndLoggedAtDebug(CapturedOutput output) {
		this.handlers = new ReactiveHandlers(() -> List.of(new FailingMapping(), this.mapping));
		HandlerQuestion question = new HandlerQuestion("GET", "/users/7", "", Map.of());
		assertThat(this.handlers.findHandler(exchange(question)).join()).isPresent();
		assertThat(output).doesNotContain("on purpose");
		logAt(LogLevel.DEBUG);
		try {
			assertThat(this.handlers.findHandler(exchange(question)).join()).isPresent();
		}
		finally {
			logAt(null);
		}
		assertThat(output).contains("IllegalStateException: on purpose");
	}

	private Optional<HandlerKey> find(HandlerIndex index, MockServerWebExchange exchange) {
		return index.find(new ExchangeGateRequest(exchange, this.handlers, Optional.empty(), ClientAddresses.OF_PEER))
			.join()
			.map(HandlerIndex.Served::handler);
	}

	private Optional<HandlerKey> servedBy(HandlerQuestion question) {
		return this.mapping.getHandler(exchange(question))
			.cast(HandlerMethod.class)
			.map(HandlerKey::of)
			.onErrorResume((failure) -> Mono.empty())
			.blockOptional();
	}

	private static MockServerWebExchange exchange(HandlerQuestion question) {
		String query = (question.query().isEmpty()) ? "" : "?" + question.query();
		URI uri = URI.create("http://localhost" + question.path() + query);
		MockServerHttpRequest.BodyBuilder request = MockServerHttpRequest.method(HttpMethod.valueOf(question.method()),
				uri);
		question.headers().forEach(request::header);
		return MockServerWebExchange.from(request.build());
	}

	private static void logAt(@Nullable LogLevel level) {
		LoggingSystem.get(ReactiveHandlers.class.getClassLoader()).setLogLevel(ReactiveHandlers.class.getName(), level);
	}

	private static final class FailingMapping extends AbstractHandlerMapping {

		@Override
		protected Mono<?> getHandlerInternal(ServerWebExchange exchange) {
			return Mono.error(new IllegalStateException("on purpose"));
		}

	}

}
