package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.ratelimit.rule.LimitSet;
import dev.ratelimit.store.redis.RedisConnector;
import dev.ratelimit.store.redis.StoreProperties;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Warns at startup about stores that work, but probably not as intended.
 */
final class StoreWarnings {

	private static final Log logger = LogFactory.getLog(StoreWarnings.class);

	private static final Duration LONG_DEADLINE = Duration.ofSeconds(1);

	private StoreWarnings() {
	}

	static void log(RedisConnector usual, Map<String, RedisConnector> others, Map<String, StoreProperties> stores) {
		Map<String, RedisConnector> known = new LinkedHashMap<>(Map.of(LimitSet.DEFAULT_STORE, usual));
		others.forEach((name, connector) -> {
			known.forEach((before, other) -> {
				if (connector.sharesServerWith(other)) {
					logger.warn("The stores '" + before + "' and '" + name + "' have the same address, so that they"
							+ " are one Redis: they fail together. Correct the address below 'ratelimit.stores." + name
							+ "', or remove this store.");
				}
			});
			known.put(name, connector);
		});
		stores.forEach((name, store) -> {
			if (store.deadline() != null && store.deadline().compareTo(LONG_DEADLINE) > 0) {
				logger.warn("'ratelimit.stores." + name + ".deadline' is " + store.deadline().toMillis()
						+ " ms: while this store does not respond, requests under its limits wait so long. Set at most 1s.");
			}
		});
	}

}
