package dev.ratelimit.http;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import dev.ratelimit.test.redis.SlotMove;
import dev.ratelimit.test.redis.TestCluster;
import dev.ratelimit.test.redis.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that requests with rules on several nodes of a cluster get the failure policies
 * of the rules for all node failures.
 */
@Tag("redis")
@Tag("topology")
class ClusterPolicyTests {

	private static final int THREADS = 16;

	private static final int REQUESTS = 40;

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aNodeThatDoesNotRespondIsNoServerError(WebApplicationType stack) throws Exception {
		ExecutorService clients = Executors.newFixedThreadPool(THREADS);
		try (TestCluster cluster = TestCluster.start();
				ConfigurableApplicationContext application = start(stack, cluster)) {
			HttpProbe http = probe(application);
			for (TestRedis node : cluster.nodes()) {
				// The slots of recently rejected clients are called first, in a separate
				// call.
				for (int user = 0; user < THREADS; user++) {
					String name = "user" + user;
					Awaitility.await().until(() -> send(clients, http, 2, name).contains(429));
				}
				List<Integer> statuses = new ArrayList<>();
				node.pause();
				try {
					statuses.addAll(flood(clients, http));
				}
				finally {
					node.resume();
				}
				assertThat(statuses).hasSize(THREADS * REQUESTS).containsAnyOf(404, 429).isSubsetOf(404, 429);
				Awaitility.await().until(() -> node.command("PING").equals("PONG"));
			}
		}
		finally {
			clients.shutdownNow();
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aSlotThatMovesIsNoServerError(WebApplicationType stack) throws Exception {
		ExecutorService clients = Executors.newFixedThreadPool(THREADS);
		try (TestCluster cluster = TestCluster.start();
				ConfigurableApplicationContext application = start(stack, cluster)) {
			HttpProbe http = probe(application);
			assertThat(http.statuses(3, "GET", "/limited", "X-User", "user0")).contains(404);
			String key = Awaitility.await().until(() -> {
				// The key expires after a second.
				http.statuses(1, "GET", "/limited", "X-User", "user0");
				return cluster.keys("*user0*");
			}, (keys) -> !keys.isEmpty()).get(0);
			TestRedis source = cluster.nodeOf(key);
			TestRedis target = cluster.nodes().stream().filter((node) -> node != source).findFirst().orElseThrow();
			SlotMove move = cluster.move(key, target);
			List<Integer> statuses = new ArrayList<>();
			move.open();
			statuses.addAll(flood(clients, http));
			move.moveKeys(100);
			statuses.addAll(flood(clients, http));
			move.close();
			statuses.addAll(flood(clients, http));
			assertThat(statuses).hasSize(3 * THREADS * REQUESTS).contains(404).isSubsetOf(404, 429);
			Awaitility.await().until(() -> {
				http.statuses(1, "GET", "/limited", "X-User", "user0");
				return target.keys("*user0*").contains(key);
			});
		}
		finally {
			clients.shutdownNow();
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aDeadlineThatIsOverAtOnceIsNoServerError(WebApplicationType stack) throws Exception {
		ExecutorService clients = Executors.newFixedThreadPool(THREADS);
		try (ConfigurableApplicationContext application = start(stack, TestCluster.shared(),
				"--ratelimit.deadline=1ms")) {
			assertThat(flood(clients, probe(application))).hasSize(THREADS * REQUESTS)
				.contains(404)
				.isSubsetOf(404, 429);
		}
		finally {
			clients.shutdownNow();
		}
	}

	private static HttpProbe probe(ConfigurableApplicationContext application) {
		return new HttpProbe(application.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
	}

	private static List<Integer> flood(ExecutorService clients, HttpProbe http) throws Exception {
		return send(clients, http, REQUESTS,
				IntStream.range(0, THREADS).mapToObj((i) -> "user" + i).toArray(String[]::new));
	}

	// Use all threads at once, because sequential requests may be slower than the limit.
	private static List<Integer> send(ExecutorService clients, HttpProbe http, int requests, String... users)
			throws Exception {
		List<Future<List<Integer>>> all = new ArrayList<>();
		for (int i = 0; i < THREADS; i++) {
			String user = users[i % users.length];
			all.add(clients.submit(() -> http.statuses(requests, "GET", "/limited", "X-User", user)));
		}
		List<Integer> statuses = new ArrayList<>();
		for (Future<List<Integer>> one : all) {
			statuses.addAll(one.get(120, TimeUnit.SECONDS));
		}
		return statuses;
	}

	// A bucket refills quickly, so its slot allows requests that the other slots must
	// then decide.
	private static ConfigurableApplicationContext start(WebApplicationType stack, TestCluster cluster, String... more) {
		List<String> arguments = new ArrayList<>(List.of("--server.port=0", "--spring.main.banner-mode=off",
				"--ratelimit.redis.cluster.nodes=" + cluster.addresses(), "--ratelimit.rules.all.paths=/limited",
				"--ratelimit.rules.all.key=global", "--ratelimit.rules.all.limit=100000/s",
				"--ratelimit.rules.mine.paths=/limited", "--ratelimit.rules.mine.key=header:X-User",
				"--ratelimit.rules.mine.limit=20/s", "--ratelimit.rules.mine.burst=1"));
		arguments.addAll(List.of(more));
		return new SpringApplicationBuilder(ServedPathTests.Open.class).web(stack)
			.run(arguments.toArray(String[]::new));
	}

}
