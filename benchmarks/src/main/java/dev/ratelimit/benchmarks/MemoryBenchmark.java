package dev.ratelimit.benchmarks;

import java.util.Map;
import java.util.concurrent.TimeUnit;

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
 * Measures decisions in memory with JMH, to use its profilers. The table in the
 * documentation comes from {@link Benchmarks}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
@Threads(2)
public class MemoryBenchmark {

	@Param({ "1", "1000", "100000" })
	int keys;

	@Param({ "bucket4j-memory", "resilience4j", "floor-memory", "ours", "ours-looking", "ours-reactive" })
	String contestant = "";

	private String[] names = {};

	private Contestant opened = new CaffeineFloorContestant(setup());

	@Setup
	public void open() {
		this.names = Keys.create("u:", this.keys);
		this.opened = Contestants.open(this.contestant, setup());
	}

	@TearDown
	public void close() {
		this.opened.close();
	}

	@Benchmark
	public boolean decide(KeyPicker picker) {
		return this.opened.decideNow(picker.pick(this.names));
	}

	private static dev.ratelimit.benchmarks.Setup setup() {
		return new dev.ratelimit.benchmarks.Setup(new RedisAddress("none", 0), Assignment.hot("ours").limit(),
				Map.of("store", "memory"));
	}

}
