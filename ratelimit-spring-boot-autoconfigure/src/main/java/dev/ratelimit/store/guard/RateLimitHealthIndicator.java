package dev.ratelimit.store.guard;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

import dev.ratelimit.store.RuleFailures;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * Internal: the health of the limiter. It is {@code DEGRADED} if the store is unavailable
 * or rejects the script of a rule, which keeps the application in the load balancer. It
 * is {@code DOWN} if the store rejects most calls, or if all rules fail. Stores other
 * than the default store make it {@code DEGRADED} at most.
 */
public final class RateLimitHealthIndicator implements HealthIndicator {

	/** The store does not respond: the rules apply their failure policies. */
	public static final Status DEGRADED = new Status("DEGRADED", "Rules apply their failure policy");

	private final StoreStatus status;

	private final RuleFailures failures;

	private final OtherStores others;

	/**
	 * Create the health of a store and of the rules that are counted there.
	 * @param status the store's status
	 * @param failures the rules whose scripts the store rejects
	 * @param others the other stores
	 */
	public RateLimitHealthIndicator(StoreStatus status, RuleFailures failures, OtherStores others) {
		this.status = status;
		this.failures = failures;
		this.others = others;
	}

	@Override
	public Health health() {
		Map<String, String> rules = this.failures.current();
		Health.Builder health = Health.status(status(!rules.isEmpty()));
		health.withDetail("store", this.status.store())
			.withDetail("circuit", this.status.circuit().name().toLowerCase(Locale.ROOT));
		Map<String, CircuitBreaker.State> nodes = this.status.nodes();
		if (nodes.size() > 1) {
			Map<String, String> circuits = new TreeMap<>();
			nodes.forEach((node, state) -> circuits.put(node, state.name().toLowerCase(Locale.ROOT)));
			health.withDetail("nodes", circuits);
		}
		if (this.status.health() != StoreHealth.UP) {
			health.withDetail("cause", this.status.lastFailure());
		}
		if (!rules.isEmpty()) {
			health.withDetail("rules", rules);
		}
		if (!this.others.stores().isEmpty()) {
			health.withDetail("stores", this.others.description());
		}
		return health.build();
	}

	private Status status(boolean anyRuleFails) {
		if (this.failures.total()) {
			return Status.DOWN;
		}
		return switch (this.status.health()) {
			case UP -> (anyRuleFails || !this.others.areUp()) ? DEGRADED : Status.UP;
			case DEGRADED -> DEGRADED;
			case DOWN -> Status.DOWN;
		};
	}

}
