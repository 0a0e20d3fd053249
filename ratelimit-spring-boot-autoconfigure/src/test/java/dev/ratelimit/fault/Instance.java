package dev.ratelimit.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.store.guard.StoreHealth;
import dev.ratelimit.store.guard.StoreStatus;
import org.awaitility.Awaitility;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * A running application in this JVM, with a rule for each {@link Target}.
 */
final class Instance implements AutoCloseable {

	/** The default interval. */
	static final Duration PROBE_INTERVAL = Duration.ofSeconds(1);

	private final ConfigurableApplicationContext context;

	private Instance(ConfigurableApplicationContext context) {
		this.context = context;
	}

	static Instance start(WebApplicationType stack, String... more) {
		return start(stack, FaultApplication.class, more);
	}

	static Instance start(WebApplicationType stack, Class<?> application, String... more) {
		List<String> arguments = new ArrayList<>(rules());
		arguments.addAll(List.of(more));
		return new Instance(new SpringApplicationBuilder(application).web(stack).run(arguments.toArray(String[]::new)));
	}

	static String[] redis(String host, int port) {
		return new String[] { "--spring.data.redis.host=" + host, "--spring.data.redis.port=" + port };
	}

	/**
	 * Return the rules as arguments.
	 */
	static List<String> rules() {
		return List.of("--server.port=0", "--spring.main.banner-mode=off", "--ratelimit.defaults.key=header:X-Caller",
				"--ratelimit.rules.open.paths=/open", "--ratelimit.rules.open.limit=1000000/d",
				"--ratelimit.rules.closed.paths=/closed", "--ratelimit.rules.closed.limit=" + Target.LIMIT + "/d",
				"--ratelimit.rules.closed.failure=closed", "--ratelimit.rules.local.paths=/local",
				"--ratelimit.rules.local.limit=" + Target.SMALL_LIMIT + "/d", "--ratelimit.rules.local.failure=local",
				"--ratelimit.rules.bounded.paths=/bounded",
				"--ratelimit.rules.bounded.limit=" + Target.SMALL_LIMIT + "/366d",
				"--ratelimit.rules.exhausted.paths=/exhausted", "--ratelimit.rules.exhausted.limit=1/d");
	}

	int port() {
		return this.context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
	}

	StoreStatus status() {
		return this.context.getBean(StoreStatus.class);
	}

	<T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	void awaitHealthy() {
		Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> status().health() == StoreHealth.UP);
	}

	@Override
	public void close() {
		this.context.close();
	}

}
