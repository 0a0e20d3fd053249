package dev.ratelimit.actuate;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

import dev.ratelimit.store.guard.StoreStatus;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * The limiter's health. A store that is away makes it {@code DEGRADED}, which leaves the
 * application in its load balancer; a limiter that does not run at all is {@code DOWN}.
 *
 * @since 0.1.0
 */
public final class RateLimitHealthIndicator implements HealthIndicator {

	/** The store does not answer; the rules' failure policies do. */
	public static final Status DEGRADED = new Status("DEGRADED", "Rules go by their failure policies");

	private final StoreStatus status;

	/**
	 * The health of a store.
	 * @param status the store's status
	 */
	public RateLimitHealthIndicator(StoreStatus status) {
		this.status = status;
	}

	@Override
	public Health health() {
		Health.Builder health = Health.status(switch (this.status.health()) {
			case UP -> Status.UP;
			case DEGRADED -> DEGRADED;
			case DOWN -> Status.DOWN;
		});
		health.withDetail("store", this.status.store())
			.withDetail("circuit", this.status.circuit().name().toLowerCase(Locale.ROOT));
		Map<String, CircuitBreaker.State> nodes = this.status.nodes();
		if (nodes.size() > 1) {
			Map<String, String> circuits = new TreeMap<>();
			nodes.forEach((node, state) -> circuits.put(node, state.name().toLowerCase(Locale.ROOT)));
			health.withDetail("nodes", circuits);
		}
		if (this.status.health() != StoreStatus.Health.UP) {
			health.withDetail("cause", this.status.lastFailure());
		}
		return health.build();
	}

}
