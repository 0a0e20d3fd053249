package dev.ratelimit.http;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

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
 * Requests whose rules are on several nodes of a cluster get the failure policies of the
 * rules, whatever happens to the nodes.
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
			HttpProbe http = new HttpProbe(
					application.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
			for (TestRedis node : cluster.nodes()) {
				// Clients that were rejected lately: their slots are called first, alone.
				for (int user = 0; user < THREADS; user++) {
					assertThat(http.statuses(3, "GET", "/limited", "X-User", "user" + user)).contains(429);
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

	private static List<Integer> flood(ExecutorService clients, HttpProbe http) throws Exception {
		List<Future<List<Integer>>> all = new ArrayList<>();
		for (int i = 0; i < THREADS; i++) {
			String user = "user" + i;
			all.add(clients.submit(() -> http.statuses(REQUESTS, "GET", "/limited", "X-User", user)));
		}
		List<Integer> statuses = new ArrayList<>();
		for (Future<List<Integer>> one : all) {
			statuses.addAll(one.get(120, TimeUnit.SECONDS));
		}
		return statuses;
	}

	// A bucket comes back soon, so that its slot admits what the others have to decide.
	private static ConfigurableApplicationContext start(WebApplicationType stack, TestCluster cluster) {
		return new SpringApplicationBuilder(ServedPathTests.Open.class).web(stack)
			.run("--server.port=0", "--spring.main.banner-mode=off",
					"--ratelimit.redis.cluster.nodes=" + cluster.addresses(), "--ratelimit.rules.all.paths=/limited",
					"--ratelimit.rules.all.key=global", "--ratelimit.rules.all.limit=100000/s",
					"--ratelimit.rules.mine.paths=/limited", "--ratelimit.rules.mine.key=header:X-User",
					"--ratelimit.rules.mine.limit=20/s", "--ratelimit.rules.mine.burst=1");
	}

}
