package dev.ratelimit.actuate;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.webmvc.actuate.endpoint.web.AbstractWebMvcEndpointHandlerMapping;
import org.springframework.boot.webmvc.actuate.endpoint.web.AdditionalHealthEndpointPathsWebMvcHandlerMapping;
import org.springframework.boot.webmvc.actuate.endpoint.web.ControllerEndpointHandlerMapping;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;
import org.springframework.web.util.pattern.PathPattern;

/**
 * The actuator's patterns on servlet.
 */
final class ServletEndpointPatterns implements EndpointPatterns {

	@Override
	public List<PathPattern> all(ListableBeanFactory beans) {
		return mappings(beans).flatMap(ServletEndpointPatterns::patterns).toList();
	}

	@Override
	public List<PathPattern> health(ListableBeanFactory beans, Predicate<String> path) {
		return mappings(beans).flatMap((mapping) -> patterns(mapping)
			.filter((pattern) -> mapping instanceof AdditionalHealthEndpointPathsWebMvcHandlerMapping
					|| path.test(pattern.getPatternString())))
			.toList();
	}

	private static Stream<RequestMappingInfoHandlerMapping> mappings(ListableBeanFactory beans) {
		return beans.getBeansOfType(RequestMappingInfoHandlerMapping.class, true, false)
			.values()
			.stream()
			.filter(ServletEndpointPatterns::isOfActuator);
	}

	@SuppressWarnings("removal")
	private static boolean isOfActuator(RequestMappingInfoHandlerMapping mapping) {
		return mapping instanceof AbstractWebMvcEndpointHandlerMapping
				|| mapping instanceof ControllerEndpointHandlerMapping;
	}

	private static Stream<PathPattern> patterns(RequestMappingInfoHandlerMapping mapping) {
		return mapping.getHandlerMethods()
			.keySet()
			.stream()
			.flatMap((info) -> Stream.ofNullable(info.getPathPatternsCondition()))
			.flatMap((condition) -> condition.getPatterns().stream());
	}

}
