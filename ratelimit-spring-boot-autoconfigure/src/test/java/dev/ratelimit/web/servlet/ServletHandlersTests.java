package dev.ratelimit.web.servlet;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import dev.ratelimit.address.ClientAddresses;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.rule.AnnotatedMethod;
import dev.ratelimit.rule.AnnotatedRules;
import dev.ratelimit.web.HandlerIndex;
import dev.ratelimit.web.HandlerKey;
import dev.ratelimit.web.HandlerQuestion;
import dev.ratelimit.web.HandlerRoute;
import dev.ratelimit.web.OverlappingControllers;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockServletContext;
import org.springframework.web.context.support.StaticWebApplicationContext;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.handler.AbstractHandlerMapping;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;

import static org.assertj.core.api.Assertions.assertThat;

class ServletHandlersTests {

	private final RequestMappingHandlerMapping mapping = new RequestMappingHandlerMapping();

	private ServletHandlers handlers = new ServletHandlers(List::of);

	private Set<? extends AnnotatedMethod> limited = Set.of();

	@BeforeEach
	void mapControllers() {
		StaticWebApplicationContext context = new StaticWebApplicationContext();
		context.setServletContext(new MockServletContext());
		OverlappingControllers.TYPES.forEach((type) -> context.registerSingleton(type.getName(), type));
		context.refresh();
		this.mapping.setApplicationContext(context);
		this.mapping.afterPropertiesSet();
		this.handlers = new ServletHandlers(() -> List.of(this.mapping));
		this.limited = AnnotatedRules.of(keys()).byMethod().keySet();
	}

	@Test
	void indexFindsTheHandlerThatTheMappingFinds() {
		HandlerIndex index = new HandlerIndex(this.handlers.routes(), this.limited::contains, "");
		Map<String, String> differences = new HashMap<>();
		Set<String> found = new TreeSet<>();
		for (HandlerQuestion question : HandlerQuestion.all()) {
			Optional<HandlerKey> expected = servedBy(question).filter(this.limited::contains);
			Optional<HandlerKey> actual = find(index, request(question, ""));
			expected.ifPresent((handler) -> found.add(handler.toString()));
			if (!actual.equals(expected)) {
				differences.put(question.toString(), "mapping: " + expected + ", index: " + actual);
			}
		}
		assertThat(differences).isEmpty();
		assertThat(found).hasSameSizeAs(this.limited);
	}

	@Test
	void askingLeavesNoTraceOnTheRequest() {
		MockHttpServletRequest request = request(new HandlerQuestion("GET", "/split/params", "v=1", Map.of("X-V", "1")),
				"");
		assertThat(this.handlers.findHandler(request)).isPresent();
		assertThat(request.getAttributeNames().hasMoreElements()).isFalse();
	}

	@Test
	void pathsOfTheDispatcherAreNotPartOfPatterns() {
		HandlerIndex index = new HandlerIndex(this.handlers.routes(), this.limited::contains, "/api");
		HandlerQuestion question = new HandlerQuestion("GET", "/api/users/7", "", Map.of());
		assertThat(find(index, request(question, ""))).map(HandlerKey::toString).hasValue("Users.one()");
	}

	@Test
	void contextPathIsNotPartOfPatterns() {
		HandlerIndex index = new HandlerIndex(this.handlers.routes(), this.limited::contains, "");
		HandlerQuestion question = new HandlerQuestion("GET", "/app/users/7", "", Map.of());
		assertThat(find(index, request(question, "/app"))).map(HandlerKey::toString).hasValue("Users.one()");
	}

	@Test
	void brokenPathIsTakenLiterallyOrServedByNobody() {
		HandlerIndex index = new HandlerIndex(this.handlers.routes(), this.limited::contains, "");
		MockHttpServletRequest request = new MockHttpServletRequest("POST", "/heads/1/%zz");
		assertThat(find(index, request)).map(HandlerKey::toString).hasValue("Heads.post()");
		assertThat(find(index, new MockHttpServletRequest("GET", "/shapes/%zz"))).isEmpty();
		assertThat(this.handlers.findHandler(request)).isEmpty();
	}

	@Test
	void withoutLimitedHandlersNobodyIsFound() {
		HandlerIndex index = new HandlerIndex(this.handlers.routes(), (handler) -> false, "");
		HandlerQuestion question = new HandlerQuestion("GET", "/users/7", "", Map.of());
		assertThat(find(index, request(question, ""))).isEmpty();
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void failingMappingIsSkippedAndLoggedAtDebug(CapturedOutput output) {
		this.handlers = new ServletHandlers(() -> List.of(new FailingMapping(), this.mapping));
		HandlerQuestion question = new HandlerQuestion("GET", "/users/7", "", Map.of());
		assertThat(this.handlers.findHandler(request(question, ""))).isPresent();
		assertThat(output).doesNotContain("on purpose");
		logAt(LogLevel.DEBUG);
		try {
			assertThat(this.handlers.findHandler(request(question, ""))).isPresent();
		}
		finally {
			logAt(null);
		}
		assertThat(output).contains("IllegalStateException: on purpose");
	}

	private List<HandlerKey> keys() {
		return this.handlers.routes().stream().map(HandlerRoute::handler).toList();
	}

	private Optional<HandlerKey> find(HandlerIndex index, MockHttpServletRequest request) {
		return index
			.find(new ServletGateRequest(request, this.handlers, RequestProgress.START, ClientAddresses.OF_PEER))
			.join()
			.map(HandlerIndex.Served::handler);
	}

	private Optional<HandlerKey> servedBy(HandlerQuestion question) {
		MockHttpServletRequest request = request(question, "");
		ServletRequestPathUtils.parseAndCache(request);
		try {
			HandlerExecutionChain chain = this.mapping.getHandler(request);
			return Optional.ofNullable(chain)
				.map(HandlerExecutionChain::getHandler)
				.map(HandlerMethod.class::cast)
				.map(HandlerKey::of);
		}
		catch (Exception ex) {
			return Optional.empty();
		}
	}

	private static MockHttpServletRequest request(HandlerQuestion question, String contextPath) {
		MockHttpServletRequest request = new MockHttpServletRequest(question.method(), question.path());
		request.setContextPath(contextPath);
		request.setQueryString(question.query());
		for (String pair : question.query().split("&")) {
			String[] parts = pair.split("=");
			request.addParameter(parts[0], (parts.length > 1) ? parts[1] : "");
		}
		question.headers().forEach(request::addHeader);
		return request;
	}

	private static void logAt(@Nullable LogLevel level) {
		LoggingSystem.get(ServletHandlers.class.getClassLoader()).setLogLevel(ServletHandlers.class.getName(), level);
	}

	private static final class FailingMapping extends AbstractHandlerMapping {

		@Override
		protected Object getHandlerInternal(HttpServletRequest request) {
			throw new IllegalStateException("on purpose");
		}

	}

}
