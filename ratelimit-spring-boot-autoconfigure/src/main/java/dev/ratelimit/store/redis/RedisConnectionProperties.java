package dev.ratelimit.store.redis;

import java.util.List;
import java.util.stream.Stream;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * Internal: determines whether properties of the limiter or of the application configure
 * Redis.
 */
public final class RedisConnectionProperties {

	/** Prefix of the properties of the limiter's own connection. */
	static final String OWN = "ratelimit.redis";

	/** Prefix of Spring Boot's properties. */
	static final String APPLICATION = "spring.data.redis";

	private static final String STATIC_GROUP = APPLICATION + ".masterreplica.nodes";

	private static final List<String> ADDRESSES = List.of("host", "port", "url", "sentinel.master", "sentinel.nodes",
			"cluster.nodes");

	/** The properties that have no meaning without an address. */
	private static final List<String> DETAILS = List.of("username", "password", "database", "client-name",
			"ssl.enabled", "ssl.bundle", "sentinel.username", "sentinel.password", "cluster.max-redirects");

	private RedisConnectionProperties() {
	}

	public static boolean areSet(Environment environment) {
		return "redis".equalsIgnoreCase(environment.getProperty("ratelimit.store")) || areSet(environment, OWN)
				|| areSet(environment, APPLICATION) || isStaticGroup(environment);
	}

	public static boolean areSet(Environment environment, String prefix) {
		return set(environment, prefix, ADDRESSES).findAny().isPresent();
	}

	static boolean isStaticGroup(Environment environment) {
		return isSet(Binder.get(environment), STATIC_GROUP);
	}

	static Stream<String> details(Environment environment, String prefix) {
		return set(environment, prefix, DETAILS);
	}

	private static Stream<String> set(Environment environment, String prefix, List<String> names) {
		Binder binder = Binder.get(environment);
		return names.stream().map((name) -> prefix + "." + name).filter((name) -> isSet(binder, name));
	}

	private static boolean isSet(Binder binder, String name) {
		return binder.bind(name, Bindable.of(String.class)).isBound()
				|| binder.bind(name, Bindable.listOf(String.class)).isBound();
	}

}
