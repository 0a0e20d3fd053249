package dev.ratelimit.web.servlet;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.web.HandlerKey;
import dev.ratelimit.web.HandlerRoute;
import dev.ratelimit.web.ImaginedRequest;
import jakarta.servlet.http.HttpServletRequest;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.mvc.condition.PathPatternsRequestCondition;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;

/**
 * The handler methods of Spring MVC: read once they all exist, and asked where reading is
 * not enough.
 *
 * @since 0.1.0
 */
public final class ServletHandlers {

	private static final Log logger = LogFactory.getLog(ServletHandlers.class);

	private final Supplier<List<RequestMappingHandlerMapping>> mappings;

	/**
	 * The handlers of some mappings.
	 * @param mappings the mappings, in their order; asked for when they all exist
	 */
	public ServletHandlers(Supplier<List<RequestMappingHandlerMapping>> mappings) {
		this.mappings = SingletonSupplier.of(mappings);
	}

	/**
	 * All ways to reach handler methods.
	 * @return the routes
	 */
	public List<HandlerRoute> routes() {
		return this.mappings.get()
			.stream()
			.flatMap((mapping) -> mapping.getHandlerMethods().entrySet().stream())
			.flatMap((mapped) -> routes(mapped.getKey(), mapped.getValue()))
			.toList();
	}

	private static Stream<HandlerRoute> routes(RequestMappingInfo info, HandlerMethod handler) {
		PathPatternsRequestCondition paths = info.getPathPatternsCondition();
		if (paths == null) {
			throw new InvalidRuleException("spring.mvc.pathmatch.matching-strategy", "ant_path_matcher",
					"handlers' rules need parsed path patterns", "Remove the property.");
		}
		return HandlerRoute.of(handler, paths.getPatterns(), info.getMethodsCondition().getMethods(), isSimple(info));
	}

	private static boolean isSimple(RequestMappingInfo info) {
		return info.getParamsCondition().isEmpty() && info.getHeadersCondition().isEmpty()
				&& info.getConsumesCondition().isEmpty() && info.getProducesCondition().isEmpty()
				&& info.getVersionCondition().isEmpty() && info.getCustomCondition() == null;
	}

	/**
	 * Ask who would serve a request that nobody has sent.
	 * @param request the request
	 * @param prefix the dispatcher's path, which the request's begins with
	 * @return the handler method; empty if none serves it
	 */
	public CompletableFuture<Optional<HandlerKey>> ask(ImaginedRequest request, String prefix) {
		return CompletableFuture.completedFuture(ask(ImaginedServletRequest.of(request, prefix)));
	}

	Optional<HandlerKey> ask(HttpServletRequest request) {
		HttpServletRequest question = new SideRequest(request);
		try {
			ServletRequestPathUtils.parseAndCache(question);
		}
		catch (IllegalArgumentException ex) {
			// The dispatcher cannot read this path either.
			return Optional.empty();
		}
		for (RequestMappingHandlerMapping mapping : this.mappings.get()) {
			Optional<HandlerKey> answer = ask(mapping, question);
			if (answer.isPresent()) {
				return answer;
			}
		}
		return Optional.empty();
	}

	// A mapping says by exceptions of any kind that no handler accepts the request; the
	// dispatcher will hear the same and answer with the right status.
	private static Optional<HandlerKey> ask(RequestMappingHandlerMapping mapping, HttpServletRequest question) {
		try {
			HandlerExecutionChain chain = mapping.getHandler(question);
			return (chain != null && chain.getHandler() instanceof HandlerMethod handler)
					? Optional.of(HandlerKey.of(handler)) : Optional.empty();
		}
		catch (Exception ex) {
			logger.debug("A handler mapping accepts the request by none of its handlers", ex);
			return Optional.empty();
		}
	}

}
