package dev.ratelimit.actuate;

import java.util.List;
import java.util.function.Predicate;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.web.util.pattern.PathPattern;

/**
 * The patterns of the actuator's handler mappings in one application context, which has
 * one server.
 */
interface EndpointPatterns {

	/**
	 * The patterns of all endpoints.
	 * @param beans the context's beans
	 * @return the patterns
	 */
	List<PathPattern> all(ListableBeanFactory beans);

	/**
	 * The patterns of the health endpoint.
	 * @param beans the context's beans
	 * @param path finds the paths of the health endpoint
	 * @return the patterns, including those of the additional paths of health groups
	 */
	List<PathPattern> health(ListableBeanFactory beans, Predicate<String> path);

}
