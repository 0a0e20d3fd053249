package dev.ratelimit.web.servlet;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.web.HandlerKey;
import dev.ratelimit.web.HandlerMappings;
import dev.ratelimit.web.HandlerRoute;
import dev.ratelimit.web.MappingOrder;
import dev.ratelimit.web.SimulatedRequest;
import jakarta.servlet.http.HttpServletRequest;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.support.RouterFunctionMapping;
import org.springframework.web.servlet.mvc.condition.PathPatternsRequestCondition;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;

/**
 * Internal: the handler methods of Spring MVC: read once they all exist, and asked where
 * reading is not enough.
 */
public final class ServletHandlers {

	private static final Log logger = LogFactory.getLog(ServletHandlers.class);

	private final Supplier<MappingOrder<HandlerMapping, RequestMappingHandlerMapping>> order;

	/**
	 * The handlers of some mappings.
	 * @param mappings all mappings, in their order; asked for when they all exist
	 */
	public ServletHandlers(Supplier<List<HandlerMapping>> mappings) {
		this.order = SingletonSupplier.of(() -> MappingOrder.of(mappings.get(), RequestMappingHandlerMapping.class,
				RouterFunctionMapping.class, ServletHandlers::isSilent));
	}

	// Endpoints of the actuator are never charged, and their paths are known before.
	private static boolean isSilent(HandlerMapping mapping) {
		if (mapping instanceof RequestMappingInfoHandlerMapping methods) {
			return !(mapping instanceof RequestMappingHandlerMapping) || methods.getHandlerMethods().isEmpty();
		}
		return mapping instanceof RouterFunctionMapping router && router.getRouterFunction() == null;
	}

	/**
	 * Whether requests may be served before a handler method is looked for.
	 * @return whether other mappings come first
	 */
	public boolean preceded() {
		return !this.order.get().before().isEmpty();
	}

	/**
	 * All ways to reach handler methods.
	 * @return the routes
	 */
	public List<HandlerRoute> routes() {
		return this.order.get()
			.methods()
			.stream()
			.flatMap((mapping) -> mapping.getHandlerMethods().entrySet().stream())
			.flatMap((mapped) -> routes(mapped.getKey(), mapped.getValue()))
			.toList();
	}

	private Stream<HandlerRoute> routes(RequestMappingInfo info, HandlerMethod handler) {
		PathPatternsRequestCondition paths = info.getPathPatternsCondition();
		if (paths == null) {
			throw new InvalidRuleException("spring.mvc.pathmatch.matching-strategy", "ant_path_matcher",
					"rules of handlers require parsed path patterns", "Remove the property.");
		}
		return HandlerRoute.of(handler, paths.getPatterns(), info.getMethodsCondition().getMethods(),
				isSimple(info) && !this.order.get().mixed());
	}

	private static boolean isSimple(RequestMappingInfo info) {
		return info.getParamsCondition().isEmpty() && info.getHeadersCondition().isEmpty()
				&& info.getConsumesCondition().isEmpty() && info.getProducesCondition().isEmpty()
				&& info.getVersionCondition().isEmpty() && info.getCustomCondition() == null;
	}

	/**
	 * Ask who would serve requests that nobody has sent.
	 * @param prefix the dispatcher's path, which the paths of requests begin with
	 * @return asks the mappings
	 */
	public HandlerMappings mappings(String prefix) {
		return new HandlerMappings() {

			@Override
			public CompletableFuture<Optional<HandlerKey>> ask(SimulatedRequest request) {
				return CompletableFuture
					.completedFuture(ServletHandlers.this.ask(SimulatedServletRequest.of(request, prefix)));
			}

			@Override
			public CompletableFuture<Optional<String>> askRoute(SimulatedRequest request) {
				return CompletableFuture
					.completedFuture(ServletHandlers.this.askRoute(SimulatedServletRequest.of(request, prefix)));
			}

		};
	}

	Optional<HandlerKey> ask(HttpServletRequest request) {
		return ask(this.order.get().asked(), new IsolatedRequest(request)).filter(HandlerMethod.class::isInstance)
			.map(HandlerMethod.class::cast)
			.map(HandlerKey::of);
	}

	boolean askOthers(HttpServletRequest request) {
		return ask(this.order.get().before(), new IsolatedRequest(request)).isPresent();
	}

	// Others set no pattern here, or another one on the other stack.
	Optional<String> askRoute(HttpServletRequest request) {
		IsolatedRequest question = new IsolatedRequest(request);
		question.removeAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
		return ask(this.order.get().routed(), question)
			.filter((handler) -> handler instanceof HandlerMethod || handler instanceof HandlerFunction)
			.map((handler) -> question.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE))
			.map(Object::toString);
	}

	private static Optional<Object> ask(List<HandlerMapping> mappings, IsolatedRequest question) {
		try {
			ServletRequestPathUtils.parseAndCache(question);
		}
		catch (IllegalArgumentException ex) {
			// The dispatcher cannot read this path either.
			return Optional.empty();
		}
		for (HandlerMapping mapping : mappings) {
			Optional<Object> answer = ask(mapping, question);
			if (answer.isPresent()) {
				return answer;
			}
		}
		return Optional.empty();
	}

	// A mapping says by exceptions of any kind that no handler accepts the request; the
	// dispatcher will hear the same and answer with the right status.
	private static Optional<Object> ask(HandlerMapping mapping, HttpServletRequest question) {
		try {
			return Optional.ofNullable(mapping.getHandler(question)).map(HandlerExecutionChain::getHandler);
		}
		catch (Exception ex) {
			logger.debug("No handler of a mapping matches the request", ex);
			return Optional.empty();
		}
	}

}
