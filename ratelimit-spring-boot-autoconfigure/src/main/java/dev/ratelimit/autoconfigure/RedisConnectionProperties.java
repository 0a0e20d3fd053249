package dev.ratelimit.autoconfigure;

import java.util.List;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * Tells whether properties say where Redis is. Boot itself would try localhost.
 */
final class RedisConnectionProperties {

	private static final List<String> NAMES = List.of("host", "port", "url", "sentinel.master", "sentinel.nodes",
			"cluster.nodes", "masterreplica.nodes");

	private RedisConnectionProperties() {
	}

	static boolean areSet(Environment environment) {
		Binder binder = Binder.get(environment);
		return "redis".equalsIgnoreCase(environment.getProperty("ratelimit.store"))
				|| NAMES.stream().anyMatch((name) -> isSet(binder, "spring.data.redis." + name));
	}

	private static boolean isSet(Binder binder, String name) {
		return binder.bind(name, Bindable.of(String.class)).isBound()
				|| binder.bind(name, Bindable.listOf(String.class)).isBound();
	}

}
