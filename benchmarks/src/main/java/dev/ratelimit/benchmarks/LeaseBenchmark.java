package dev.ratelimit.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.ratelimit.Consistency;
import dev.ratelimit.FailurePolicy;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.LeaseRequest;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.Upkeep;
import dev.ratelimit.store.lease.LeaseSettings;
import dev.ratelimit.store.lease.LeasedLimitStore;
import dev.ratelimit.store.redis.RedisConnector;
import dev.ratelimit.store.redis.RedisLimitStore;
import io.github.bucket4j.ConsumptionProbe;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Decisions on hot buckets that are leased from a real Redis, beside the same buckets in
 * the memory of one process, and beside asking Redis each time.
 */
@State(Scope.Benchmark)
@BenchmarkMode({ Mode.Throughput, Mode.SampleTime })
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
@Threads(2)
public class LeaseBenchmark {

	private static final long PER_SECOND = 10_000_000;

	@Param({ "1", "100" })
	int keys;

	private String[] names = {};

	private final dev.ratelimit.Limit limit = new dev.ratelimit.Limit("token-bucket", PER_SECOND, Duration.ofSeconds(1),
			40 * PER_SECOND);

	private final BucketFamily family = new BucketFamily(OurRedis.policy(this.limit),
			dev.ratelimit.algorithm.Algorithms.find("token-bucket").orElseThrow());

	private final Cache<String, io.github.bucket4j.Bucket> buckets = Caffeine.newBuilder().maximumSize(1000).build();

	private final Upkeep upkeep = new Upkeep();

	private Optional<Servers> servers = Optional.empty();

	@Setup
	public void start() throws Exception {
		this.names = Keys.create(this.keys);
		RedisServer server = RedisServer.obtain();
		RedisConnector connector = OurRedis.connect(server.address());
		RedisLimitStore redis = new RedisLimitStore(connector, "rl:leases");
		this.servers = Optional.of(new Servers(server, connector, redis, new LeasedLimitStore(redis,
				LeaseSettings.DEFAULT.patience(Duration.ofSeconds(1)), Time.SYSTEM, this.upkeep)));
	}

	@TearDown
	public void stop() throws Exception {
		Servers running = this.servers.orElseThrow();
		System.err.printf("leased: %,d local, %,d remote, %,d refills%n", running.leased().status().local(),
				running.leased().status().remote(), running.leased().status().refills());
		running.leased().close();
		this.upkeep.close();
		running.connector().close();
		running.server().close();
	}

	@Benchmark
	public AcquireResult leased(KeyPicker picker) {
		return decide(this.servers.orElseThrow().leased(), Consistency.LEASED, picker).join();
	}

	@Benchmark
	public AcquireResult strict(KeyPicker picker) {
		return decide(this.servers.orElseThrow().redis(), Consistency.STRICT, picker).join();
	}

	@Benchmark
	public ConsumptionProbe bucket4j(KeyPicker picker) {
		return this.buckets.get(picker.pick(this.names), LeaseBenchmark::newBucket).tryConsumeAndReturnRemaining(1);
	}

	private CompletableFuture<AcquireResult> decide(LimitStore store, Consistency consistency, KeyPicker picker) {
		Charge charge = new Charge(new Bucket(this.family, picker.pick(this.names)), 1, FailurePolicy.OPEN, false,
				false, consistency, LeaseRequest.NONE);
		return store.acquire(new AcquireRequest(List.of(charge), Optional.empty(), System.nanoTime() + 1_000_000_000));
	}

	private static io.github.bucket4j.Bucket newBucket(String key) {
		return io.github.bucket4j.Bucket.builder()
			.addLimit((limit) -> limit.capacity(PER_SECOND * 40).refillGreedy(PER_SECOND, Duration.ofSeconds(1)))
			.build();
	}

	/**
	 * What runs while it is measured.
	 */
	private record Servers(RedisServer server, RedisConnector connector, RedisLimitStore redis,
			LeasedLimitStore leased) {
	}

}
