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
 * Simulates clients that send requests at a fixed rate for all targets in turn, each on a
 * separate connection. A late request is still sent, and its wait is measured from the
 * time at which it was due. The interval of a client is long enough to receive each
 * response before the next request, unless the server is overloaded.
 */
final class HttpLoad implements AutoCloseable {

	private static final int CALLERS = 32;

	private final Queue<Sample> samples = new ConcurrentLinkedQueue<>();

	private final List<Target> targets;

	private final int port;

	private final String caller;

	private final long periodNanos;

	private final long startNanos = System.nanoTime();

	private final List<Thread> threads;

	private volatile boolean stopped;

	private volatile boolean ending;

	private HttpLoad(int port, String caller, int perSecond, List<Target> targets) {
		this.port = port;
		this.caller = caller;
		this.targets = targets;
		this.periodNanos = Duration.ofSeconds(1).toNanos() * CALLERS / perSecond;
		this.threads = IntStream.range(0, CALLERS)
			.mapToObj((number) -> new Thread(() -> call(number), "load-" + number))
			.toList();
		this.threads.forEach(Thread::start);
	}

	static HttpLoad start(int port, String caller, int perSecond) {
		return start(port, caller, perSecond, Target.values());
	}

	static HttpLoad start(int port, String caller, int perSecond, Target... targets) {
		return new HttpLoad(port, caller, perSecond, List.of(targets));
	}

	private void call(int number) {
		HttpCaller http = new HttpCaller(this.port);
		long dueNanos = this.startNanos + number * this.periodNanos / CALLERS;
		for (int i = number; !this.stopped; i++) {
			rest(dueNanos);
			Sample sample = http.get(this.targets.get(i % this.targets.size()), this.caller, dueNanos);
			this.samples.add(sample);
			if (sample.status() == 0 && this.ending) {
				break;
			}
			dueNanos += this.periodNanos;
		}
		http.close();
	}

	private static void rest(long untilNanos) {
		for (long left = untilNanos - System.nanoTime(); left > 0; left = untilNanos - System.nanoTime()) {
			LockSupport.parkNanos(left);
		}
	}

	/**
	 * Stop each client when the server stops responding.
	 */
	void endWithServer() {
		this.ending = true;
	}

	/**
	 * Continue the load for the given duration.
	 */
	void lasts(Duration duration) {
		pass(duration);
	}

	/**
	 * Wait for the given duration.
	 */
	static void pass(Duration duration) {
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
		return samples((sample) -> sample.dueNanos() - fromNanos >= 0 && sample.dueNanos() - toNanos < 0);
	}

	/**
	 * Return the wait in milliseconds that the given share of the samples did not exceed.
	 */
	static double waitMillis(List<Sample> samples, double share) {
		long[] sorted = samples.stream().mapToLong(Sample::waitNanos).sorted().toArray();
		return (sorted.length == 0) ? 0 : sorted[(int) Math.ceil(sorted.length * share) - 1] / 1e6;
	}

	/**
	 * Wait until all clients have received their last response.
	 */
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

	@Override
	public void close() {
		stop();
	}

}
