package dev.ratelimit.fault;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;

/**
 * Callers that ask at a fixed rate, each on a connection of its own, for all targets in
 * turn.
 */
final class HttpLoad implements AutoCloseable {

	private static final int CALLERS = 8;

	private final Queue<Sample> samples = new ConcurrentLinkedQueue<>();

	private final List<Target> targets;

	private final int port;

	private final String caller;

	private final long periodNanos;

	private final long startNanos = System.nanoTime();

	private final int callers;

	private final List<Thread> threads;

	private volatile boolean stopped;

	private volatile boolean ending;

	private HttpLoad(int port, String caller, int perSecond, int callers, List<Target> targets) {
		this.port = port;
		this.caller = caller;
		this.targets = targets;
		this.callers = callers;
		this.periodNanos = Duration.ofSeconds(1).toNanos() * callers / perSecond;
		this.threads = IntStream.range(0, callers)
			.mapToObj((number) -> new Thread(() -> call(number), "load-" + number))
			.toList();
		this.threads.forEach(Thread::start);
	}

	static HttpLoad start(int port, String caller, int perSecond) {
		return new HttpLoad(port, caller, perSecond, CALLERS, List.of(Target.values()));
	}

	/**
	 * Many callers, for a rate that few do not reach.
	 */
	static HttpLoad crowd(int port, String caller, int perSecond) {
		return new HttpLoad(port, caller, perSecond, 4 * CALLERS, List.of(Target.values()));
	}

	static HttpLoad start(int port, String caller, int perSecond, Target target) {
		return new HttpLoad(port, caller, perSecond, CALLERS, List.of(target));
	}

	private void call(int number) {
		HttpCaller http = new HttpCaller(this.port);
		long next = this.startNanos + number * this.periodNanos / this.callers;
		for (int i = number; !this.stopped; i++) {
			rest(next);
			Sample sample = http.get(this.targets.get(i % this.targets.size()), this.caller);
			this.samples.add(sample);
			if (sample.status() == 0 && this.ending) {
				break;
			}
			// Who was held up does not make up for it.
			next = Math.max(next + this.periodNanos, System.nanoTime() - this.periodNanos);
		}
		http.close();
	}

	private static void rest(long untilNanos) {
		for (long left = untilNanos - System.nanoTime(); left > 0; left = untilNanos - System.nanoTime()) {
			LockSupport.parkNanos(left);
		}
	}

	/**
	 * Let each caller leave once nobody answers.
	 */
	void endWithServer() {
		this.ending = true;
	}

	/**
	 * Let it go on for so long.
	 */
	void lasts(Duration duration) {
		long until = System.nanoTime() + duration.toNanos();
		Awaitility.await()
			.pollInterval(Duration.ofMillis(5))
			.atMost(duration.plusSeconds(10))
			.until(() -> System.nanoTime() - until >= 0);
	}

	List<Sample> samples() {
		return List.copyOf(this.samples);
	}

	List<Sample> samples(Predicate<Sample> which) {
		return this.samples.stream().filter(which).toList();
	}

	List<Sample> between(long fromNanos, long toNanos) {
		return samples((sample) -> sample.sentNanos() - fromNanos >= 0 && sample.sentNanos() - toNanos < 0);
	}

	/**
	 * The p99 of the waits, in milliseconds.
	 */
	static double p99(List<Sample> samples) {
		long[] sorted = samples.stream().mapToLong(Sample::tookNanos).sorted().toArray();
		return (sorted.length == 0) ? 0 : sorted[(int) Math.ceil(sorted.length * 0.99) - 1] / 1e6;
	}

	@Override
	public void close() {
		stop();
	}

	/** Ask no more, and wait for what is under way. */
	void stop() {
		this.stopped = true;
		for (Thread thread : this.threads) {
			try {
				thread.join();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
	}

}
