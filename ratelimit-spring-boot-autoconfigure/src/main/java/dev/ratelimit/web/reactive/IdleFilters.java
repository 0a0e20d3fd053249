package dev.ratelimit.web.reactive;

import java.util.List;

import dev.ratelimit.Phase;
import dev.ratelimit.web.RequestGate;

import org.springframework.web.server.WebFilter;

/**
 * Internal: removes the filters of the limiter that have no effect in an application,
 * because each filter allocates a publisher for each request.
 */
final class IdleFilters {

	private IdleFilters() {
	}

	/**
	 * If all rules are late, remove the filter of the early phase. Also remove the filter
	 * of rewritten paths if no other filter runs between the late phase and it.
	 * @param filters all filters of the application, in their order
	 * @param gate the gate
	 */
	static void removeFrom(List<WebFilter> filters, RequestGate gate) {
		if (gate.settings().phased()) {
			return;
		}
		filters.removeIf((filter) -> isOfPhase(filter, Phase.EARLY));
		int late = filters.size() - 2;
		if (late >= 0 && isOfPhase(filters.get(late), Phase.LATE)
				&& filters.get(late + 1) instanceof RewrittenPathWebFilter) {
			filters.remove(late + 1);
		}
	}

	private static boolean isOfPhase(WebFilter filter, Phase phase) {
		return filter instanceof RateLimitWebFilter limiter && limiter.phase() == phase;
	}

}
