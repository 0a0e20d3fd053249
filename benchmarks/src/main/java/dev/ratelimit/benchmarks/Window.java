package dev.ratelimit.benchmarks;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.LongStream;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import dev.ratelimit.benchmarks.report.Figures;
import dev.ratelimit.benchmarks.report.Metric;

/**
 * Measures a contestant under a load, after a ramp that does not count.
 */
final class Window {

	private static final OperatingSystemMXBean PROCESS = ManagementFactory
		.getPlatformMXBean(OperatingSystemMXBean.class);

	private static final ThreadMXBean THREADS = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

	private final Contestant contestant;

	private final RedisStats redis;

	Window(Contestant contestant, RedisStats redis) {
		this.contestant = contestant;
		this.redis = redis;
	}

	Figures measure(Load load, String[] keys, Duration ramp, Duration time) throws Exception {
		Driver driver = Driver.start(this.contestant, load, keys);
		Driver.pause(ramp);
		this.redis.resetCommandCounts();
		double redisMicros = this.redis.cpuMicros();
		long clientNanos = PROCESS.getProcessCpuTime();
		long bytes = allocated();
		long startedAt = System.nanoTime();
		driver.begin();
		Driver.pause(time);
		bytes = allocated() - bytes;
		driver.end();
		double seconds = (System.nanoTime() - startedAt) / 1e9;
		double clientMicros = (PROCESS.getProcessCpuTime() - clientNanos) / 1e3;
		redisMicros = this.redis.cpuMicros() - redisMicros;
		CommandCounts counts = this.redis.commandCounts();
		Tally tally = driver.tally();
		double decisions = tally.decisions();
		Map<Metric, Double> values = new EnumMap<>(Metric.class);
		values.put(Metric.DECISIONS, decisions / seconds);
		values.put(Metric.P50, tally.millisAt(0.5));
		values.put(Metric.P99, tally.millisAt(0.99));
		values.put(Metric.CALLS, this.contestant.calls(counts) / decisions);
		values.put(Metric.COMMANDS, counts.all() / decisions);
		values.put(Metric.CLIENT_MICROS, clientMicros / decisions);
		values.put(Metric.REDIS_MICROS, redisMicros / decisions);
		values.put(Metric.CLIENT_BYTES, bytes / decisions);
		return new Figures(values);
	}

	// Sum the bytes that all live threads have allocated. Clients end after the second
	// sum, and the threads that complete the decisions of loops continue to run.
	private static long allocated() {
		return LongStream.of(THREADS.getThreadAllocatedBytes(THREADS.getAllThreadIds()))
			.filter((bytes) -> bytes > 0)
			.sum();
	}

}
