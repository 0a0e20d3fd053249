package dev.ratelimit.web.servlet;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.web.HandlerKey;
import dev.ratelimit.web.HandlerMappings;
import dev.ratelimit.web.HandlerRoute;
import dev.ratelimit.web.MappingOrder;
import dev.ratelimit.web.QueryParameter;
import dev.ratelimit.web.SimulatedRequest;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletMapping;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.MappingMatch;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

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
 * Internal: the handler methods of Spring MVC. They are read when all of them exist; if
 * patterns are not sufficient, the mappings are called.
 */
public final class ServletHandlers {

	private static final Log logger = LogFactory.getLog(ServletHandlers.class);

	private final Supplier<MappingOrder<HandlerMapping, RequestMappingHandlerMapping>> order;

	/**
	 * Create the handlers of mappings.
	 * @param mappings all mappings, in their order; called when they all exist
	 */
	ServletHandlers(Supplier<List<HandlerMapping>> mappings) {
		this.order = SingletonSupplier.of(() -> MappingOrder.of(mappings.get(), RequestMappingHandlerMapping.class,
				RouterFunctionMapping.class, ServletHandlers::isSilent));
	}

	// Endpoints of the actuator are not charged, and their paths are recognized earlier.
	private static boolean isSilent(HandlerMapping mapping) {
		if (mapping instanceof RequestMappingInfoHandlerMapping methods) {
			return !(mapping instanceof RequestMappingHandlerMapping) || methods.getHandlerMethods().isEmpty();
		}
		return mapping instanceof RouterFunctionMapping router && router.getRouterFunction() == null;
	}

	/**
	 * Whether other mappings may serve requests before those of handler methods.
	 * @return whether other mappings precede
	 */
	boolean preceded() {
		return !this.order.get().before().isEmpty();
	}

	/**
	 * Return all routes to handler methods.
	 * @return the routes
	 */
	List<HandlerRoute> routes() {
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
	 * Find the handlers of simulated requests.
	 * @param prefix the path of the dispatcher, with which the paths of requests begin
	 * @return the finder
	 */
	HandlerMappings mappings(String prefix) {
		return new HandlerMappings() {

			@Override
			public CompletableFuture<Optional<HandlerKey>> findHandler(SimulatedRequest request) {
				return CompletableFuture
					.completedFuture(ServletHandlers.this.findHandler(SimulatedServletRequest.of(request, prefix)));
			}

			@Override
			public CompletableFuture<Optional<String>> findRoute(SimulatedRequest request) {
				return CompletableFuture.completedFuture(ServletHandlers.this
					.findRoute(new IsolatedRequest(SimulatedServletRequest.of(request, prefix))));
			}

		};
	}

	Optional<HandlerKey> findHandler(HttpServletRequest request) {
		return findHandler(new IsolatedRequest(request));
	}

	Optional<HandlerKey> findHandler(IsolatedRequest question) {
		return find(this.order.get().called(), question).filter(HandlerMethod.class::isInstance)
			.map(HandlerMethod.class::cast)
			.map(HandlerKey::of);
	}

	boolean hasOtherHandler(IsolatedRequest question) {
		return find(this.order.get().before(), question).isPresent();
	}

	// Only these handlers are considered, because others set no pattern here, or a
	// different one on WebFlux.
	Optional<String> findRoute(IsolatedRequest question) {
		question.removeAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
		return find(this.order.get().routed(), question)
			.filter((handler) -> handler instanceof HandlerMethod || handler instanceof HandlerFunction)
			.map((handler) -> question.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE))
			.map(Object::toString);
	}

	private static Optional<Object> find(List<HandlerMapping> mappings, IsolatedRequest question) {
		try {
			ServletRequestPathUtils.parseAndCache(question);
		}
		catch (IllegalArgumentException ex) {
			// The dispatcher cannot parse this path either.
			return Optional.empty();
		}
		for (HandlerMapping mapping : mappings) {
			Optional<Object> answer = find(mapping, question);
			if (answer.isPresent()) {
				return answer;
			}
		}
		return Optional.empty();
	}

	// If no handler accepts the request, a mapping may throw any exception. The
	// dispatcher will receive the same exception, and respond with the matching status.
	private static Optional<Object> find(HandlerMapping mapping, HttpServletRequest question) {
		try {
			return Optional.ofNullable(mapping.getHandler(question)).map(HandlerExecutionChain::getHandler);
		}
		catch (Exception ex) {
			logger.debug("No handler of a mapping matches the request", ex);
			return Optional.empty();
		}
	}

	/**
	 * A simulated servlet request, with the properties that handler mappings read. Other
	 * properties are absent.
	 */
	private static final class SimulatedServletRequest implements InvocationHandler {

		private final SimulatedRequest request;

		private final String path;

		private final Map<String, String[]> parameters;

		private final Map<Object, Object> attributes = new HashMap<>();

		private SimulatedServletRequest(SimulatedRequest request, String prefix) {
			this.request = request;
			this.path = request.path().substring(prefix.length());
			this.parameters = QueryParameter.map(request.query());
		}

		/**
		 * Create a request to the dispatcher.
		 * @param request the request
		 * @param prefix the path of the dispatcher, which is omitted
		 * @return the request in the form of a dispatcher at the root
		 */
		static HttpServletRequest of(SimulatedRequest request, String prefix) {
			return (HttpServletRequest) Proxy.newProxyInstance(SimulatedServletRequest.class.getClassLoader(),
					new Class<?>[] { HttpServletRequest.class }, new SimulatedServletRequest(request, prefix));
		}

		@Override
		public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) {
			Object first = (arguments != null && arguments.length > 0) ? arguments[0] : "";
			return switch (method.getName()) {
				case "getMethod" -> this.request.method();
				case "getRequestURI", "getServletPath" -> this.path;
				case "getContextPath" -> "";
				case "getQueryString" -> this.request.query();
				case "getHttpServletMapping" -> new Root();
				case "getDispatcherType" -> DispatcherType.REQUEST;
				case "getRemoteAddr" -> this.request.remoteAddress();
				case "getUserPrincipal" -> this.request.principal().orElse(null);
				case "getHeader" -> this.request.header((String) first).orElse(null);
				case "getHeaders" -> Collections.enumeration(this.request.headers((String) first));
				case "getHeaderNames" -> Collections.enumeration(this.request.headers().keySet());
				case "getContentType" -> this.request.header("Content-Type").orElse(null);
				case "getParameter" -> parameter(first);
				case "getParameterMap" -> this.parameters;
				case "getParameterValues" -> values(first);
				case "getParameterNames" -> Collections.enumeration(this.parameters.keySet());
				case "getAttribute" -> this.attributes.get(first);
				case "getAttributeNames" -> Collections.enumeration(this.attributes.keySet());
				case "setAttribute" -> this.attributes.put(first, (arguments != null) ? arguments[1] : "");
				case "removeAttribute" -> this.attributes.remove(first);
				case "hashCode" -> System.identityHashCode(proxy);
				case "equals" -> proxy == first;
				case "toString" -> "simulated " + this.request.method() + " " + this.request.path();
				default -> absent(method.getReturnType());
			};
		}

		private @Nullable String parameter(Object name) {
			String[] values = this.parameters.get(name);
			return (values != null) ? values[0] : null;
		}

		private String @Nullable [] values(Object name) {
			return this.parameters.get(name);
		}

		private static @Nullable Object absent(Class<?> type) {
			if (type == boolean.class) {
				return false;
			}
			if (type == long.class) {
				return -1L;
			}
			return (type == int.class) ? (Object) (-1) : null;
		}

		private record Root() implements HttpServletMapping {

			@Override
			public String getMatchValue() {
				return "";
			}

			@Override
			public String getPattern() {
				return "/";
			}

			@Override
			public String getServletName() {
				return "dispatcherServlet";
			}

			@Override
			public MappingMatch getMappingMatch() {
				return MappingMatch.DEFAULT;
			}

		}

	}

}
