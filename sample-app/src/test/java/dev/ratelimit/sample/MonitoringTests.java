package dev.ratelimit.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.http.HttpProbe;
import dev.ratelimit.test.prometheus.PrometheusTest;
import dev.ratelimit.test.prometheus.TestPrometheus;
import dev.ratelimit.test.redis.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.FileSystemResource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the dashboard and the alerts. A real Prometheus scrapes the sample, once on Redis
 * and once in memory, during a flood, slow calls, lost rights, and an outage. All queries
 * have a result.
 */
@PrometheusTest
@Tag("redis")
@TestInstance(Lifecycle.PER_CLASS)
class MonitoringTests {

	private static final Path MONITORING = Path.of("..", "docs", "monitoring");

	/**
	 * The meters that the sample does not have here, by their names in Prometheus: no
	 * switch is active, and there is no sink of events, no candidate, and no other
	 * region.
	 */
	private static final Set<String> WAITING = Set.of("ratelimit_switch", "ratelimit_candidate_requests_total",
			"ratelimit_events_sent_total", "ratelimit_events_dropped_total", "ratelimit_region_age_seconds",
			"ratelimit_region_reported_total", "ratelimit_region_lost_total", "ratelimit_region_dropped_total");

	/**
	 * Parts of the alerts that do not fire here: the live rules are up to date, and are
	 * the same on all instances, most requests have a key, and the instances are not
	 * overloaded, and ban all clients with enough strikes.
	 */
	private static final Set<String> HEALTHY = Set.of("ratelimit_rules_source_age_seconds",
			"ratelimit_rules_rejected_total", "ratelimit_rules_digest", "ratelimit_key_missing_total",
			"kind=\"starved\"", "outcome=\"failed_closed\"", "shed|shed_late", "braked|full");

	private static final Pattern METER = Pattern.compile("ratelimit_\\w+");

	private static final String ALICE = HttpProbe.basic("alice", "alice");

	private final List<AutoCloseable> open = new ArrayList<>();

	private Optional<TestPrometheus> prometheus = Optional.empty();

	@BeforeAll
	void scrape() {
		TestRedis redis = opened(TestRedis.start());
		int shared = start("--spring.profiles.active=redis", "--spring.data.redis.host=" + redis.host(),
				"--spring.data.redis.port=" + redis.port(), "--ratelimit.deadline=2s", "--ratelimit.live.source=redis",
				"--ratelimit.rules.per-ip.consistency=leased", "--ratelimit.load.enabled=true",
				"--ratelimit.rules.uploads=/api/hello 500 concurrent per ip", "--ratelimit.rules.reports.ban.after=5");
		int alone = start("--ratelimit.memory.max-buckets=20", "--ratelimit.client-address.trusted-hops=1");
		this.prometheus = Optional.of(opened(TestPrometheus.scraping(shared, alone)));
		soon(() -> assertThat(query("ratelimit_rules_version")).hasSize(2));
		drive(redis, new HttpProbe(shared), new HttpProbe(alone));
		soon(() -> assertThat(query("ratelimit_store_circuit == 2")).isNotEmpty());
		soon(() -> assertThat(query("ratelimit_decisions_total{outcome=\"failed_open\"} > 0")).isNotEmpty());
	}

	private void drive(TestRedis redis, HttpProbe shared, HttpProbe alone) {
		IntStream.range(0, 200).forEach((i) -> alone.get("/api/none", "X-Forwarded-For", "198.51.100." + i));
		assertThat(shared.statuses(500, "GET", "/api/hello")).contains(200, 429);
		shared.statuses(40, "GET", "/api/reports", "Authorization", HttpProbe.basic("bob", "bob"));
		soon(() -> assertThat(query("ratelimit_bans")).isNotEmpty());
		String slow = alerts().filter((expression) -> expression.contains("decision_seconds_bucket"))
			.findFirst()
			.orElseThrow();
		soon(() -> {
			redis.command("CLIENT", "PAUSE", "400");
			shared.get("/api/search", "Authorization", ALICE);
			assertThat(query(slow)).as("slow decisions, in two scrapes").isNotEmpty();
		});
		redis.command("ACL", "SETUSER", "default", "-eval", "-evalsha");
		shared.statuses(10, "GET", "/api/reports", "Authorization", ALICE);
		soon(() -> assertThat(query("ratelimit_store_errors_total{kind=\"script\"} > 0")).isNotEmpty());
		redis.command("ACL", "SETUSER", "default", "+eval", "+evalsha");
		redis.kill();
		shared.statuses(40, "GET", "/api/reports", "Authorization", HttpProbe.basic("bob", "bob"));
	}

	@AfterAll
	void stop() throws Exception {
		for (int i = this.open.size() - 1; i >= 0; i--) {
			this.open.get(i).close();
		}
	}

	static Stream<String> expressions() {
		return Stream.concat(dashboard(), alerts());
	}

	@ParameterizedTest
	@MethodSource("expressions")
	void expressionsAreAnswered(String expression) {
		List<Map<String, String>> answer = query(expression);
		boolean fires = HEALTHY.stream().noneMatch(expression::contains) || alerts().noneMatch(expression::equals);
		if (fires && meters(expression).noneMatch(WAITING::contains)) {
			assertThat(answer).as(expression).isNotEmpty();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "ratelimit_decisions_total", "ratelimit_decision_seconds_bucket" })
	void metersTellInstancesApart(String meter) {
		assertThat(query("count by (instance) (" + meter + ")")).hasSize(2)
			.allSatisfy((labels) -> assertThat(labels).containsOnlyKeys("instance"));
	}

	@Test
	void everyMeterThatIsAskedForExistsOrIsKnownToCome() {
		Set<String> asked = expressions().flatMap(MonitoringTests::meters).collect(Collectors.toSet());
		assertThat(asked).containsAll(WAITING);
		assertThat(asked).filteredOn((meter) -> !WAITING.contains(meter))
			.hasSizeGreaterThan(15)
			.allSatisfy((meter) -> assertThat(query(meter)).as(meter).isNotEmpty());
	}

	@Test
	void metersThatTheSampleLacksDoNotExist() {
		assertThat(WAITING).allSatisfy(
				(asked) -> assertThat(query(asked)).as("remove %s from the list of meters to come", asked).isEmpty());
	}

	private static Stream<String> dashboard() {
		JsonNode dashboard = JsonMapper.shared().readTree(read(MONITORING.resolve("grafana-dashboard.json")));
		List<String> expressions = dashboard.findValuesAsString("expr");
		assertThat(expressions).hasSizeGreaterThan(20);
		Stream<String> variables = dashboard.path("templating")
			.path("list")
			.valueStream()
			.map((variable) -> variable.path("definition").asString(""))
			.filter((query) -> query.startsWith("label_values("))
			.map((query) -> query.replaceAll("label_values\\((.*), (\\w+)\\)", "count by ($2) ($1)"));
		// Without the condition "> 0", a query has a result even if its value is 0 or has
		// not changed.
		return Stream.concat(expressions.stream(), variables)
			.map((expression) -> expression.replaceAll("\\$(job|instance)", ".*")
				.replaceAll("\\$__\\w*interval", "5m")
				.replaceAll(" > 0$", ""));
	}

	private static Stream<String> alerts() {
		List<String> expressions = new ArrayList<>();
		for (PropertySource<?> source : yaml(MONITORING.resolve("alerts.yml"))) {
			EnumerablePropertySource<?> properties = (EnumerablePropertySource<?>) source;
			Stream.of(properties.getPropertyNames())
				.filter((name) -> name.endsWith(".expr"))
				.forEach((name) -> expressions.add(String.valueOf(properties.getProperty(name))));
		}
		assertThat(expressions).hasSize(19);
		return expressions.stream();
	}

	private static Stream<String> meters(String expression) {
		return METER.matcher(expression).results().map((match) -> match.group());
	}

	private static List<PropertySource<?>> yaml(Path file) {
		try {
			return new YamlPropertySourceLoader().load("alerts", new FileSystemResource(file));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private List<Map<String, String>> query(String expression) {
		return this.prometheus.orElseThrow().query(expression);
	}

	private static void soon(Runnable check) {
		Awaitility.await().atMost(Duration.ofSeconds(20)).untilAsserted(check::run);
	}

	private int start(String... arguments) {
		ConfigurableApplicationContext sample = opened(new SpringApplicationBuilder(SampleApplication.class)
			.run(Stream.concat(Stream.of("--server.port=0"), Stream.of(arguments)).toArray(String[]::new)));
		return sample.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
	}

	private <T extends AutoCloseable> T opened(T resource) {
		this.open.add(resource);
		return resource;
	}

}
