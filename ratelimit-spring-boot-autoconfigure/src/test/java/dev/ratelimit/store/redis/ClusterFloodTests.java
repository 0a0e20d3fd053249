package dev.ratelimit.store.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.test.Parallel;
import dev.ratelimit.test.redis.RedisClusterTest;
import dev.ratelimit.test.redis.TestCluster;
import dev.ratelimit.test.redis.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests a flood of requests of one client whose own limit is exhausted, under a global
 * limit.
 */
@RedisClusterTest
class ClusterFloodTests {

	private static final int FLOOD = 1000;

	/** The tolerance for calls of other applications, because the cluster is shared. */
	private static final int OF_OTHERS = FLOOD / 100;

	private static final List<String> SUBJECTS = TestCluster.shared().apart("user:");

	private static final String GLOBAL = SUBJECTS.get(2);

	private static RedisFixture fixture;

	private final AtomicLong clock = new AtomicLong(60_000_000_000L);

	private final LimitStore store = fixture.spanning(this.clock::get);

	private final BucketFamily user = Demands.perDay("user", 10);

	private final BucketFamily global = Demands.perDay("global", 30);

	@BeforeAll
	static void connect() {
		fixture = RedisFixture.connected(TestCluster.shared());
	}

	@AfterAll
	static void disconnect() {
		fixture.close();
	}

	@Test
	void takesNothingFromWhatIsShared() {
		ClusterSubjects.learnScripts(this.store);
		exhaust();
		List<CompletableFuture<AcquireResult>> answers = new ArrayList<>();
		for (int i = 0; i < FLOOD; i++) {
			answers.add(this.store.acquire(demand(SUBJECTS.get(0))));
			assertThat(remainingOfAll()).as("after request %d", i).isEqualTo(20);
		}
		assertThat(answers).noneMatch((answer) -> answer.join().allowed());
	}

	@Test
	void floodDoesNotCallTheSharedBucket() {
		exhaust();
		TestRedis node = TestCluster.shared().nodeOf(GLOBAL);
		long before = scripts(node);
		for (int i = 0; i < FLOOD; i++) {
			assertThat(this.store.acquire(demand(SUBJECTS.get(0))).join().allowed()).isFalse();
		}
		assertThat(scripts(node) - before).isLessThan(OF_OTHERS);
	}

	@Test
	void starvesNobodyElse() {
		exhaust();
		List<Integer> allowed = Parallel.run(5, (thread) -> {
			int mine = 0;
			for (int i = 0; i < FLOOD / 4; i++) {
				String caller = SUBJECTS.get((thread == 0) ? 1 : 0);
				mine += (this.store.acquire(demand(caller)).join().allowed()) ? 1 : 0;
			}
			return mine;
		});
		assertThat(allowed).containsExactly(10, 0, 0, 0, 0);
		assertThat(remainingOfAll()).isEqualTo(10);
	}

	// The first rejection shows the store that the limit is exhausted.
	private void exhaust() {
		for (int i = 1; i <= 11; i++) {
			assertThat(this.store.acquire(demand(SUBJECTS.get(0))).join().allowed()).isEqualTo(i <= 10);
		}
		ClusterSubjects.awaitQuiet(this.store);
	}

	private AcquireRequest demand(String subject) {
		return Demands.of(Demands.charge(this.user, subject, 1), Demands.charge(this.global, GLOBAL, 1));
	}

	private long remainingOfAll() {
		return this.store.acquire(Demands.of(Demands.charge(this.global, GLOBAL, 0)))
			.join()
			.verdicts()
			.get(0)
			.remaining();
	}

	private static long scripts(TestRedis node) {
		return node.command("INFO", "commandstats")
			.lines()
			.filter((line) -> line.startsWith("cmdstat_evalsha:calls="))
			.mapToLong((line) -> Long.parseLong(line.substring(line.indexOf('=') + 1, line.indexOf(','))))
			.sum();
	}

}
