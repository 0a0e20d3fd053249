package dev.ratelimit.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs the clients of one measurement, from their start until they are stopped.
 */
final class Driver {

	private static final long SECONDS_TO_STOP = 60;

	private final List<CompletableFuture<Tally>> clients = new ArrayList<>();

	private volatile Phase phase = Phase.WARMING_UP;

	private Driver() {
	}

	static Driver start(Contestant contestant, Load load, String[] keys) {
		Driver driver = new Driver();
		if (load.perSecond() > 0) {
			driver.startArrivals(new OpenCaller(contestant, () -> driver.phase, keys, load.perSecond()));
			return driver;
		}
		for (int i = 0; i < load.clients(); i++) {
			// A new seed, so that each measurement uses other keys than the previous one.
			long seed = System.nanoTime() + i;
			if (load.blocking()) {
				driver.startThread(new ThreadCaller(contestant, () -> driver.phase, keys));
			}
			else {
				driver.startLoop(new Caller(contestant, () -> driver.phase, keys, seed));
			}
		}
		return driver;
	}

	private void startThread(ThreadCaller caller) {
		this.clients.add(caller.finished());
		start(caller);
	}

	private void startArrivals(OpenCaller caller) {
		this.clients.add(caller.finished());
		start(caller);
	}

	private void startLoop(Caller caller) {
		this.clients.add(caller.finished());
		start(caller::next);
	}

	private static void start(Runnable client) {
		Thread thread = new Thread(client, "client");
		thread.setDaemon(true);
		thread.start();
	}

	void begin() {
		this.phase = Phase.MEASURING;
	}

	void end() {
		this.phase = Phase.STOPPED;
	}

	static void pause(Duration time) throws InterruptedException {
		Thread.sleep(time.toMillis());
	}

	/**
	 * Return the results of all clients together, once all clients have stopped.
	 */
	Tally tally() throws InterruptedException, ExecutionException, TimeoutException {
		Tally all = new Tally();
		for (CompletableFuture<Tally> client : this.clients) {
			all.add(client.get(SECONDS_TO_STOP, TimeUnit.SECONDS));
		}
		return all;
	}

}
