package dev.ratelimit.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.ratelimit.Decision;
import dev.ratelimit.FailurePolicy;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.memory.MemoryLimitStore;
import io.github.bucket4j.Bucket;
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
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Decisions kept in the memory of one process, every one of them allowed.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
@Threads(2)
public class MemoryBenchmark {

	private static final long PER_SECOND = 1_000_000_000;

	@Param({ "1", "1000", "100000" })
	int keys;

	private String[] names = {};

	private final Cache<String, Bucket> buckets = Caffeine.newBuilder()
		.maximumSize(1_000_000)
		.expireAfterAccess(Duration.ofHours(1))
		.build();

	private final dev.ratelimit.Limit limit = new dev.ratelimit.Limit("token-bucket", 10_000_000, Duration.ofSeconds(1),
			4_000_000_000L);

	private final BucketFamily family = new BucketFamily(OurRedis.policy(this.limit),
			Algorithms.find(Algorithms.DEFAULT).orElseThrow());

	private final long startNanos = System.nanoTime();

	private final MemoryLimitStore store = new MemoryLimitStore(1_000_000,
			() -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - this.startNanos));

	private final RateLimiter limiter = OurRedis.engine(this.store, this.limit);

	@Setup
	public void createKeys() {
		this.names = Keys.create(this.keys);
	}

	@Benchmark
	public ConsumptionProbe bucket4j(KeyPicker picker) {
		return this.buckets.get(picker.pick(this.names), MemoryBenchmark::newBucket).tryConsumeAndReturnRemaining(1);
	}

	@Benchmark
	public AcquireResult store(KeyPicker picker) {
		Charge charge = new Charge(new dev.ratelimit.store.Bucket(this.family, picker.pick(this.names)), 1,
				FailurePolicy.OPEN, false, false);
		return this.store.acquire(new AcquireRequest(List.of(charge), Optional.empty(), Long.MAX_VALUE)).join();
	}

	@Benchmark
	public Decision limiter(KeyPicker picker) {
		return Objects.requireNonNull(this.limiter.acquire(OurRedis.RULE, picker.pick(this.names)).block());
	}

	private static Bucket newBucket(String key) {
		return Bucket.builder()
			.addLimit((limit) -> limit.capacity(PER_SECOND).refillGreedy(PER_SECOND, Duration.ofSeconds(1)))
			.build();
	}

}
