package dev.ratelimit.benchmarks;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;

/**
 * Runs one contestant through one scenario: warm-up, then the measured window.
 */
final class Cell {

	private static final long SECONDS_TO_STOP = 60;

	private static final OperatingSystemMXBean PROCESS = ManagementFactory
		.getPlatformMXBean(OperatingSystemMXBean.class);

	private static final ThreadMXBean THREADS = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

	private final Contestant contestant;

	private final RedisStats redis;

	private final List<Caller> callers;

	private volatile Phase phase = Phase.WARMING_UP;

	Cell(Contestant contestant, RedisStats redis, Scenario scenario) {
		this.contestant = contestant;
		this.redis = redis;
		String[] keys = Keys.create(scenario.keys());
		this.callers = IntStream.range(0, scenario.callers())
			.mapToObj((i) -> new Caller(contestant, () -> this.phase, keys, i))
			.toList();
	}

	Measurement run(Duration warmup, Duration measure)
			throws InterruptedException, ExecutionException, TimeoutException {
		this.callers.forEach((caller) -> new Thread(caller::next, "caller").start());
		Thread.sleep(warmup.toMillis());
		this.redis.resetCommandCounts();
		double redisMicros = this.redis.cpuMicros();
		long clientNanos = PROCESS.getProcessCpuTime();
		long clientBytes = allocated();
		long startedAt = System.nanoTime();
		this.phase = Phase.MEASURING;
		Thread.sleep(measure.toMillis());
		this.phase = Phase.STOPPED;
		double seconds = (System.nanoTime() - startedAt) / 1e9;
		double clientMicros = (PROCESS.getProcessCpuTime() - clientNanos) / 1e3;
		clientBytes = allocated() - clientBytes;
		redisMicros = this.redis.cpuMicros() - redisMicros;
		long calls = this.contestant.clientCommands(this.redis.commandCounts());
		Tally tally = tally();
		double decisions = tally.decisions();
		return new Measurement(decisions / seconds, tally.millisAt(0.5), tally.millisAt(0.99), calls / decisions,
				clientMicros / decisions, clientBytes / decisions, redisMicros / decisions);
	}

	// By all threads there are. Callers go on from the threads that answer them, which
	// last.
	private static long allocated() {
		return LongStream.of(THREADS.getThreadAllocatedBytes(THREADS.getAllThreadIds()))
			.filter((bytes) -> bytes > 0)
			.sum();
	}

	private Tally tally() throws InterruptedException, ExecutionException, TimeoutException {
		Tally all = new Tally();
		for (Caller caller : this.callers) {
			all.add(caller.finished().get(SECONDS_TO_STOP, TimeUnit.SECONDS));
		}
		return all;
	}

}
