package dev.ratelimit.web.reactive;

import java.util.List;

import dev.ratelimit.Phase;
import dev.ratelimit.web.RequestGate;

import org.springframework.web.server.WebFilter;

/**
 * Internal: leaves out the filters of the limiter that have nothing to do in an
 * application: each filter costs each request a publisher.
 */
final class IdleFilters {

	private IdleFilters() {
	}

	/**
	 * If all rules are late, remove the filter of the early phase, and that of rewritten
	 * paths if no filter comes before it that can rewrite what the late phase has seen.
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
