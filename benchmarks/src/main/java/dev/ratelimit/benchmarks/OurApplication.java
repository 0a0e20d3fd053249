package dev.ratelimit.benchmarks;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

import dev.ratelimit.DecisionEventSink;
import dev.ratelimit.RateLimiter;

import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/**
 * An application with the library, set up only by configuration: rules, deadline, circuit
 * breaker, denials, leases, and store. The deadline is longer than the default, because
 * the machine can be busy. A decision that fails is a rejection, which ends the
 * measurement.
 *
 * @param context the context of the application
 */
record OurApplication(ConfigurableApplicationContext context) implements AutoCloseable {

	private static final int ATTEMPTS = 3;

	private static final String RULES = "ratelimit.rules.";

	/**
	 * Start the application. The start fails if Redis does not respond within seconds,
	 * which can happen on a busy machine. The start is then repeated, because its
	 * duration is not measured here.
	 */
	static OurApplication start(Setup setup) {
		for (int attempt = 1; attempt < ATTEMPTS; attempt++) {
			try {
				return tryToStart(setup);
			}
			catch (BeanCreationException ex) {
				System.err.printf("The application did not start, attempt %d: %s%n", attempt, ex.getMessage());
			}
		}
		return tryToStart(setup);
	}

	private static OurApplication tryToStart(Setup setup) {
		return new OurApplication(new SpringApplicationBuilder(Beans.class).web(WebApplicationType.NONE)
			.logStartupInfo(false)
			.properties(properties(setup))
			.run());
	}

	/**
	 * Return the name of the rule that is charged, which is the last rule.
	 */
	static String rule(Setup setup) {
		return name(setup.number("rules", 1));
	}

	RateLimiter limiter() {
		return this.context.getBean(RateLimiter.class);
	}

	private static Map<String, Object> properties(Setup setup) {
		Map<String, Object> properties = new LinkedHashMap<>();
		properties.put("spring.main.banner-mode", "off");
		properties.put("spring.application.name", "bench");
		properties.put("spring.autoconfigure.exclude", String.join(",", othersAutoConfigurations()));
		properties.put("ratelimit.store", setup.option("store", "redis"));
		properties.put("ratelimit.redis.host", setup.redis().host());
		properties.put("ratelimit.redis.port", setup.redis().port());
		properties.put("ratelimit.deadline", "5s");
		properties.put("ratelimit.max-in-flight", "100000");
		properties.put("ratelimit.memory.max-buckets", MemoryCaches.MOST);
		properties.put("ratelimit.defaults.failure", "closed");
		properties.put("ratelimit.defaults.consistency", setup.option("consistency", "strict"));
		addStores(setup, properties);
		properties.put("ratelimit.events.allowed", setup.option("sampled", "0"));
		for (int i = 1; i <= setup.number("rules", 1); i++) {
			addRule(RULES + name(i), setup, properties);
		}
		return properties;
	}

	// The further stores are other databases of the same server.
	private static void addStores(Setup setup, Map<String, Object> properties) {
		int stores = setup.number("stores", 0);
		for (int i = 1; i <= stores; i++) {
			String store = "ratelimit.stores." + store(i);
			properties.put(store + ".host", setup.redis().host());
			properties.put(store + ".port", setup.redis().port());
			properties.put(store + ".database", i);
		}
		if (setup.option("regions", "each").equals("shared")) {
			properties.put("ratelimit.regions.here", "here");
			properties.put("ratelimit.regions.peers",
					IntStream.rangeClosed(1, stores).mapToObj(OurApplication::store).collect(Collectors.joining(",")));
		}
	}

	private static String store(int number) {
		return "store" + number;
	}

	private static void addRule(String rule, Setup setup, Map<String, Object> properties) {
		properties.put(rule + ".programmatic", true);
		properties.put(rule + ".key", "user");
		properties.put(rule + ".regions", setup.option("regions", "each"));
		boolean elsewhere = both(setup) && setup.number("stores", 0) > 0 && rule.endsWith(name(2));
		properties.put(rule + ".store", (elsewhere) ? store(1) : setup.option("counted", "default"));
		String algorithm = setup.option("algorithm", "token-bucket");
		properties.put(rule + ".algorithm", algorithm);
		Limit limit = setup.limit();
		for (int i = 1; i <= setup.number("limits", 1); i++) {
			String quantity = String.valueOf(limit.capacity() * i);
			boolean rate = !algorithm.equals("concurrency");
			// The period of a high rate is not a single unit, and is therefore written in
			// ISO 8601.
			properties.put(rule + ".limits[" + (i - 1) + "]",
					(rate) ? quantity + "/" + limit.period().multipliedBy(i) : quantity);
		}
	}

	/**
	 * Return whether each request charges two rules. If there is a second store, it
	 * counts the second rule.
	 */
	static boolean both(Setup setup) {
		return setup.option("both", "false").equals("true");
	}

	/**
	 * Return the names of all rules.
	 */
	static List<String> rules(Setup setup) {
		return IntStream.rangeClosed(1, setup.number("rules", 1)).mapToObj(OurApplication::name).toList();
	}

	private static String name(int number) {
		return "bench" + number;
	}

	@Override
	public void close() {
		this.context.close();
	}

	// The libraries of the peers are also on the class path.
	static List<String> othersAutoConfigurations() {
		ImportCandidates all = ImportCandidates.load(AutoConfiguration.class, OurApplication.class.getClassLoader());
		return StreamSupport.stream(all.spliterator(), false)
			.filter((name) -> !name.startsWith("dev.ratelimit."))
			.toList();
	}

	/**
	 * The beans that the starter adds to an application without web, metrics, and
	 * actuator.
	 */
	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Beans {

		@Bean
		@ConditionalOnExpression("${ratelimit.events.allowed:0} > 0")
		DecisionEventSink sink() {
			return (events) -> {
			};
		}

	}

}
