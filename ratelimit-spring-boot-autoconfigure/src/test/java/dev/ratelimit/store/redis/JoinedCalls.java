package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.Consistency;
import dev.ratelimit.Limit;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.LeaseRequest;
import dev.ratelimit.store.ReplayMarker;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.Time;
import io.lettuce.core.api.StatefulRedisConnection;

/**
 * Joins each call of a store with calls of other instances on other keys: decisions of
 * each kind, corrections, and failing calls.
 */
final class JoinedCalls implements ScriptCalls {

	private static final long NOW_MILLIS = 70_000_000_000L;

	private static final int MOST = 16;

	private final SplittableRandom random = new SplittableRandom(1);

	private final RequestEncoder encoder = new RequestEncoder(new RedisKeys("rl:others", HashTag.SUBJECT),
			RedisClock.CLIENT, 1);

	private final List<BucketFamily> families = Algorithms.ids()
		.stream()
		.sorted()
		.map((algorithm) -> Demands.family("others", new Limit(algorithm, 5, Duration.ofSeconds(9), 5)))
		.toList();

	private final List<BucketFamily> joint = Demands.families("joint",
			new Limit("token-bucket", 5, Duration.ofSeconds(9), 5),
			new Limit("fixed-window", 50, Duration.ofHours(1), 50));

	/** The key of this bucket contains a value that is not a log. */
	private final Charge broken = Demands
		.charge(Demands.family("broken", new Limit("sliding-log", 5, Duration.ofSeconds(9), 5)), "broken", 1);

	private final Held held = new Held();

	private final SharedCalls calls;

	JoinedCalls(RedisConnector connector) {
		this.calls = new SharedCalls(connector, RedisClock.CLIENT, Time.SYSTEM, () -> this.held, (joined) -> {
		});
		byte[] key = this.encoder.key(this.broken.bucket());
		if (connector.connected() instanceof StatefulRedisConnection<byte[], byte[]> server) {
			server.sync().set(key, key);
		}
	}

	@Override
	public CompletableFuture<long[]> run(ScriptCall call) {
		return run(call, System.nanoTime() + Duration.ofMinutes(1).toNanos());
	}

	@Override
	public synchronized CompletableFuture<long[]> run(ScriptCall call, long deadlineNanos) {
		int before = this.random.nextInt(MOST / 2);
		int after = this.random.nextInt(MOST / 2);
		this.held.width = 0;
		for (int i = 0; i < before; i++) {
			this.calls.run(other(), deadlineNanos);
		}
		CompletableFuture<long[]> reply = this.calls.run(call, deadlineNanos);
		for (int i = 0; i < after; i++) {
			this.calls.run(other(), deadlineNanos);
		}
		this.held.width = 1;
		this.calls.run(other(), deadlineNanos);
		return reply;
	}

	@Override
	public CompletableFuture<long[]> runText(ScriptCall call) {
		return this.calls.runText(call);
	}

	private ScriptCall other() {
		String subject = "other-" + this.random.nextInt(20);
		BucketFamily family = this.families.get(this.random.nextInt(this.families.size()));
		return switch (this.random.nextInt(8)) {
			case 0 ->
				this.encoder.encode(List.of(new Settlement(new Bucket(family, subject), NOW_MILLIS, -1)), NOW_MILLIS);
			case 1 -> decision(
					Demands.of(new ReplayMarker(subject, "id", 1000, 1, 5), Demands.replayable(family, subject, 1)));
			case 2 -> decision(Demands.all(this.joint, subject, 1));
			case 3 -> decision(Demands.of(Demands.charge(this.joint.get(0), subject, 1)
				.with(Consistency.LEASED)
				.leasing(1, new LeaseRequest(subject, 2, 0, 1000))));
			case 4 -> decision(Demands.of(this.broken));
			default -> decision(Demands.of(Demands.charge(family, subject, 1)));
		};
	}

	private ScriptCall decision(AcquireRequest request) {
		return this.encoder.encode(request, NOW_MILLIS, ServerClock.NEVER);
	}

	/**
	 * A round trip whose width the test sets.
	 */
	private static final class Held extends CallWindow.RoundTrip {

		private volatile int width;

		@Override
		int width(int decisions) {
			return this.width;
		}

	}

}
