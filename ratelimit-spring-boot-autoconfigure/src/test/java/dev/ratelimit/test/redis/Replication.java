package dev.ratelimit.test.redis;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;

import org.awaitility.Awaitility;

/**
 * Configures the replication of servers and waits for it.
 */
final class Replication {

	/** Makes a replica start quickly and notice an idle master quickly. */
	static final List<String> ARGUMENTS = List.of("--repl-diskless-sync", "yes", "--repl-diskless-sync-delay", "0",
			"--repl-ping-replica-period", "1");

	private static final Duration LIMIT = Duration.ofSeconds(20);

	private Replication() {
	}

	/**
	 * Wait until replicas have received all data that their master has written so far.
	 */
	static void await(TestRedis master, List<TestRedis> replicas) {
		long written = offset(master);
		Awaitility.await()
			.atMost(LIMIT)
			.pollInterval(Duration.ofMillis(10))
			// A Sentinel that turns a server into a replica closes its connections.
			.ignoreExceptionsInstanceOf(UncheckedIOException.class)
			.until(() -> replicas.stream().allMatch((replica) -> isLinked(replica) && offset(replica) >= written));
	}

	private static boolean isLinked(TestRedis replica) {
		return replica.info("role").equals("slave") && replica.info("master_link_status").equals("up");
	}

	private static long offset(TestRedis server) {
		return Long.parseLong(server.info("master_repl_offset"));
	}

}
