package dev.ratelimit.actuate;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.webflux.actuate.endpoint.web.AbstractWebFluxEndpointHandlerMapping;
import org.springframework.boot.webflux.actuate.endpoint.web.AdditionalHealthEndpointPathsWebFluxHandlerMapping;
import org.springframework.boot.webflux.actuate.endpoint.web.ControllerEndpointHandlerMapping;
import org.springframework.web.reactive.result.method.RequestMappingInfoHandlerMapping;
import org.springframework.web.util.pattern.PathPattern;

/**
 * The actuator's patterns on WebFlux.
 */
final class ReactiveEndpointPatterns implements EndpointPatterns {

	@Override
	public List<PathPattern> all(ListableBeanFactory beans) {
		return mappings(beans).flatMap(ReactiveEndpointPatterns::patterns).toList();
	}

	@Override
	public List<PathPattern> health(ListableBeanFactory beans, Predicate<String> path) {
		return mappings(beans).flatMap((mapping) -> patterns(mapping)
			.filter((pattern) -> mapping instanceof AdditionalHealthEndpointPathsWebFluxHandlerMapping
					|| path.test(pattern.getPatternString())))
			.toList();
	}

	private static Stream<RequestMappingInfoHandlerMapping> mappings(ListableBeanFactory beans) {
		return beans.getBeansOfType(RequestMappingInfoHandlerMapping.class, true, false)
			.values()
			.stream()
			.filter(ReactiveEndpointPatterns::isOfActuator);
	}

	@SuppressWarnings("removal")
	private static boolean isOfActuator(RequestMappingInfoHandlerMapping mapping) {
		return mapping instanceof AbstractWebFluxEndpointHandlerMapping
				|| mapping instanceof ControllerEndpointHandlerMapping;
	}

	private static Stream<PathPattern> patterns(RequestMappingInfoHandlerMapping mapping) {
		return mapping.getHandlerMethods()
			.keySet()
			.stream()
			.flatMap((info) -> info.getPatternsCondition().getPatterns().stream());
	}

}
