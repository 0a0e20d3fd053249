package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import dev.ratelimit.Consistency;
import dev.ratelimit.FailurePolicy;
import dev.ratelimit.Limit;
import dev.ratelimit.Policy;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.JointFamilies;
import dev.ratelimit.store.LeaseRequest;
import dev.ratelimit.store.LeaseReturn;
import dev.ratelimit.store.ReplayMarker;
import dev.ratelimit.store.ScriptUse;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.Stance;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreException.Kind;
import dev.ratelimit.store.StoreStage;
import dev.ratelimit.store.Time;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;

/**
 * Charges a bucket that no client uses, like a real request. The charge is sent over the
 * current connection. If this connection does not respond, the charge is sent over a new
 * connection, which replaces the current one if it responds. A connection whose other end
 * disappeared without closing it appears intact for minutes.
 */
final class SelfTest {

	/**
	 * The first response after a start is slow, because classes are loaded and scripts
	 * are sent.
	 */
	private static final int MAX_ATTEMPTS = 3;

	private final RedisConnector connector;

	private final RedisNodes nodes;

	private final RedisDecisions decisions;

	private final Time time;

	SelfTest(RedisConnector connector, RedisNodes nodes, RedisDecisions decisions, Time time) {
		this.connector = connector;
		this.nodes = nodes;
		this.decisions = decisions;
		this.time = time;
	}

	void run(String node, Duration timeout) {
		try {
			if (!results(this.connector.connected(), node, timeout)) {
				renew(node, timeout);
			}
		}
		catch (RedisException ex) {
			throw RedisFailures.translate(ex);
		}
	}

	/**
	 * Run the scripts that a rule needs.
	 * @param store the store that the scripts belong to
	 * @param use the features that the rule needs of the store
	 * @param node the node to run the scripts on
	 * @param timeout the maximum time of each call
	 */
	void run(StoreStage store, ScriptUse use, String node, Duration timeout) {
		new ScriptTrial(store, this.nodes, use, node, timeout, this.time).run();
	}

	private boolean results(StatefulConnection<byte[], byte[]> connection, String node, Duration timeout) {
		try {
			charge(connection, node, timeout);
			return true;
		}
		catch (StoreException ex) {
			if (ex.kind().isPermanent()) {
				throw ex;
			}
			return false;
		}
	}

	private void renew(String node, Duration timeout) {
		this.connector.refreshTopology();
		StatefulConnection<byte[], byte[]> fresh = this.connector.open();
		try {
			charge(fresh, node, timeout);
			this.connector.use(fresh);
		}
		catch (StoreException ex) {
			fresh.closeAsync();
			throw ex;
		}
	}

	private void charge(StatefulConnection<byte[], byte[]> connection, String node, Duration timeout) {
		RedisLuaExecutor executor = new RedisLuaExecutor(() -> connection);
		for (int i = 1; true; i++) {
			try {
				charge(executor, node, timeout);
				return;
			}
			catch (StoreException ex) {
				if (i == MAX_ATTEMPTS || ex.kind() != Kind.TIMEOUT) {
					throw ex;
				}
			}
		}
	}

	private void charge(RedisLuaExecutor executor, String node, Duration timeout) {
		Charge charge = new Charge(this.nodes.testBucket(TestFamilies.UNFILLED, node, "self-test"), 1,
				FailurePolicy.OPEN, Stance.ENFORCED, false);
		AcquireRequest request = new AcquireRequest(List.of(charge), Optional.empty(),
				this.time.nanos() + timeout.toNanos());
		RedisFailures.await(this.decisions.decide(executor, request), timeout);
	}

	/**
	 * Runs every script that a rule needs once on small buckets that no client uses: an
	 * allowed request, a rejection, corrections, a lease, a retry. The buckets are
	 * deleted afterwards.
	 */
	private static final class ScriptTrial {

		private static final int LEASE_MILLIS = 1000;

		private final StoreStage store;

		private final ScriptUse use;

		private final List<Bucket> buckets = new ArrayList<>();

		private final Duration timeout;

		private final Time time;

		ScriptTrial(StoreStage store, RedisNodes nodes, ScriptUse use, String node, Duration timeout, Time time) {
			this.store = store;
			this.use = use;
			this.timeout = timeout;
			this.time = time;
			// Each instance uses its own buckets, because other instances would change
			// the results of the scripts.
			String name = "self-test-" + UUID.randomUUID();
			List<BucketFamily> families = new ArrayList<>();
			for (int i = 0; i < use.algorithms().size(); i++) {
				families.add(TestFamilies.tight(use.algorithms().get(i), i + 1));
			}
			String subject = nodes.testBucket(families.get(0), node, name).subject();
			JointFamilies.join(families).forEach((family) -> this.buckets.add(new Bucket(family, subject)));
		}

		/**
		 * Run the scripts.
		 * @throws dev.ratelimit.store.StoreException if one of them fails
		 */
		void run() {
			AcquireResult first = decide((charge) -> charge);
			decide((charge) -> charge);
			correct(this.buckets, first.atMillis(), -1);
			correct(this.buckets.subList(0, 1), first.atMillis(), 1);
			if (this.use.leased()) {
				lease();
			}
			renew();
			if (this.use.replayed()) {
				await(this.store.release(replay()));
			}
			await(this.store.reset(this.buckets));
		}

		private AcquireResult decide(UnaryOperator<Charge> change) {
			return await(this.store.acquire(request(Optional.empty(), change)));
		}

		private AcquireResult replay() {
			ReplayMarker marker = new ReplayMarker(this.buckets.get(0).subject(), UUID.randomUUID().toString(),
					LEASE_MILLIS, 1, 10);
			await(this.store.acquire(request(Optional.of(marker), (charge) -> charge)));
			return await(this.store.acquire(request(Optional.of(marker), (charge) -> charge)));
		}

		private void lease() {
			LeaseRequest lease = new LeaseRequest(UUID.randomUUID().toString(), 1, 0, LEASE_MILLIS);
			AcquireResult result = decide((charge) -> (charge.bucket().family().calculator().supportsLeasing())
					? charge.with(Consistency.LEASED).leasing(1, lease) : charge);
			for (Bucket bucket : this.buckets) {
				if (bucket.family().calculator().supportsLeasing()) {
					await(this.store
						.returnLease(new LeaseReturn(bucket, lease.holder(), result.atMillis(), 1, LEASE_MILLIS)));
				}
			}
		}

		private void renew() {
			Map<Bucket, Long> held = this.buckets.stream()
				.filter(TestFamilies::hasSlots)
				.collect(Collectors.toMap(Function.identity(), (bucket) -> 1L));
			if (!held.isEmpty()) {
				await(this.store.renew(held));
			}
		}

		private void correct(List<Bucket> charged, long takenAtMillis, long units) {
			await(this.store
				.settle(charged.stream().map((bucket) -> new Settlement(bucket, takenAtMillis, units)).toList()));
		}

		private AcquireRequest request(Optional<ReplayMarker> marker, UnaryOperator<Charge> change) {
			List<Charge> charges = this.buckets.stream()
				.map((bucket) -> change
					.apply(this.use.charge(bucket, marker.isPresent() && !bucket.family().policy().concurrent())))
				.toList();
			return new AcquireRequest(charges, marker, this.time.nanos() + this.timeout.toNanos());
		}

		private <T> T await(CompletableFuture<T> result) {
			return RedisFailures.await(result, this.timeout);
		}

	}

	/**
	 * Families of buckets that no client uses, for tests of servers.
	 */
	private static final class TestFamilies {

		/** Its buckets have enough units for all concurrent tests. */
		static final BucketFamily UNFILLED = new BucketFamily(new Policy("self-test", "self-test",
				new Limit(Algorithms.DEFAULT, 1000, Duration.ofSeconds(1), 1000), Policy.Unit.REQUESTS, true),
				Algorithms.find(Algorithms.DEFAULT).orElseThrow());

		/** No rule has this id. */
		private static final String SCOPE = "-self-test";

		private TestFamilies() {
		}

		/**
		 * Create a family with buckets that allow one request.
		 * @param algorithm the algorithm
		 * @param seconds its period, which must differ between limits, because limits
		 * with the same period share a bucket
		 * @return the family
		 */
		static BucketFamily tight(String algorithm, int seconds) {
			Limit limit = new Limit(algorithm, 1, Duration.ofSeconds(seconds), 1);
			Policy policy = new Policy(SCOPE, SCOPE, limit, Policy.Unit.REQUESTS, false);
			return new BucketFamily(policy, Algorithms.of(limit), SCOPE);
		}

		static boolean hasSlots(Bucket bucket) {
			return Algorithms.of(bucket.family().policy().limit().orElseThrow()).countsConcurrentRequests();
		}

	}

}
