package dev.ratelimit.store.guard;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreException.Kind;
import dev.ratelimit.store.StoreNodes;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.Upkeep;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Probes all nodes at startup, and then the nodes that fail, each on a separate thread,
 * so that no request waits for an unavailable node.
 */
final class StoreProbe implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(StoreProbe.class);

	/**
	 * The maximum number of repeated probes. After them, the node counts as failed until
	 * the next interval.
	 */
	private static final int MAX_STARVED = 5;

	private static final ThreadFactory THREADS = (task) -> {
		Thread thread = new Thread(task, "ratelimit-store-probe");
		thread.setDaemon(true);
		return thread;
	};

	private final StoreNodes nodes;

	private final Circuits circuits;

	private final GuardSettings settings;

	private final BiConsumer<Circuit, Optional<StoreException>> result;

	private final Consumer<Circuit> left;

	private final DeadlineSweeper sweeper;

	private final Set<Circuit> underWay = ConcurrentHashMap.newKeySet();

	private final Time time;

	private final Upkeep upkeep;

	private volatile Upkeep.@Nullable Task rounds;

	/** One thread for each node that is being probed, because a probe may take long. */
	private final ExecutorService workers = Executors.newCachedThreadPool(THREADS);

	StoreProbe(StoreNodes nodes, Circuits circuits, GuardSettings settings,
			BiConsumer<Circuit, Optional<StoreException>> result, Consumer<Circuit> left, DeadlineSweeper sweeper,
			Time time, Upkeep upkeep) {
		this.nodes = nodes;
		this.circuits = circuits;
		this.settings = settings;
		this.result = result;
		this.left = left;
		this.sweeper = sweeper;
		this.time = time;
		this.upkeep = upkeep;
	}

	/**
	 * Probe all nodes, and continue to probe the nodes that fail.
	 * @param timeout the maximum time to wait for the first probes
	 * @return the failure of a node, or empty if all respond
	 */
	Optional<StoreException> start(Duration timeout) {
		Set<Circuit> tried = ConcurrentHashMap.newKeySet();
		CompletableFuture<Optional<StoreException>> first = CompletableFuture.supplyAsync(this::present, this.workers)
			.thenCompose((circuits) -> tryAll(circuits, timeout, tried));
		Duration interval = this.settings.probeInterval();
		this.rounds = this.upkeep.start(interval, interval, "Failed to probe the nodes of the store",
				this::tryThoseThatFail);
		StoreException late = new StoreException(Kind.TIMEOUT, "no response within " + timeout.toMillis() + " ms",
				null);
		Optional<StoreException> outcome = first
			.completeOnTimeout(Optional.of(late), timeout.toMillis(), TimeUnit.MILLISECONDS)
			.join();
		if (outcome.isPresent() && outcome.get() == late) {
			this.circuits.all()
				.stream()
				.filter((circuit) -> !tried.contains(circuit))
				.forEach((circuit) -> this.result.accept(circuit, outcome));
		}
		return outcome;
	}

	private List<Circuit> present() {
		this.circuits.follow(this.nodes.nodes()).forEach(this.left);
		List<Circuit> all = List.copyOf(this.circuits.all());
		this.underWay.addAll(all);
		return all;
	}

	private CompletableFuture<Optional<StoreException>> tryAll(List<Circuit> circuits, Duration timeout,
			Set<Circuit> tried) {
		List<CompletableFuture<Optional<StoreException>>> tries = circuits.stream()
			.map((circuit) -> CompletableFuture.supplyAsync(() -> tryFirst(circuit, timeout), this.workers)
				.whenComplete((failure, thrown) -> tried.add(circuit)))
			.toList();
		return CompletableFuture.allOf(tries.toArray(CompletableFuture[]::new))
			.thenApply((all) -> tries.stream().map(CompletableFuture::join).flatMap(Optional::stream).findFirst());
	}

	// With few requests, the breaker of a node that does not respond would stay closed
	// for long, so a silent node is probed, too, and one that has lost its connection.
	private void tryThoseThatFail() {
		this.circuits.follow(this.nodes.nodes()).forEach(this.left);
		long nowNanos = this.time.nanos();
		for (Circuit circuit : this.circuits.all()) {
			if (circuit.health() != StoreHealth.UP || circuit.isSilent(nowNanos)
					|| !this.nodes.isConnected(circuit.node())) {
				tryNow(circuit);
			}
		}
	}

	/**
	 * Probe a node now, unless a probe of it is pending. Does not block.
	 * @param circuit the circuit of the node
	 */
	void tryNow(Circuit circuit) {
		if (this.underWay.add(circuit)) {
			try {
				this.workers.execute(() -> tryOn(circuit));
			}
			catch (RejectedExecutionException | OutOfMemoryError ex) {
				// If the system permits no further thread, the next round probes the
				// node.
				this.underWay.remove(circuit);
				logger.debug("No thread for a probe", ex);
			}
		}
	}

	// The first connection of a cold instance may take longer than later ones, and
	// Lettuce may lose the reason why the server closed it. So a failed first probe is
	// repeated if at least half of the timeout is left.
	private Optional<StoreException> tryFirst(Circuit circuit, Duration timeout) {
		try {
			Attempt first = attempt(circuit);
			boolean again = first.failure().filter((failure) -> !failure.kind().isPermanent()).isPresent()
					&& first.tookNanos() <= timeout.toNanos() / 2;
			return ((again) ? attempt(circuit) : first).failure();
		}
		finally {
			this.underWay.remove(circuit);
		}
	}

	// A failed probe that takes longer than the interval may have started before the node
	// was available again, so the next probe follows immediately.
	private void tryOn(Circuit circuit) {
		try {
			Attempt last;
			do {
				last = attempt(circuit);
			}
			while (last.failure().isPresent() && last.tookNanos() >= this.settings.probeInterval().toNanos());
		}
		finally {
			this.underWay.remove(circuit);
		}
	}

	// A probe that failed while this instance was late is inconclusive, so the next probe
	// follows immediately, with the extended timeout that a real call would have.
	private Attempt attempt(Circuit circuit) {
		Attempt last = attempt(circuit, this.settings.timeout());
		for (int i = 0; i < MAX_STARVED && last.failure().isPresent() && last.starved(); i++) {
			last = attempt(circuit, this.settings.longestTimeout());
		}
		return last;
	}

	private Attempt attempt(Circuit circuit, Duration timeout) {
		long startNanos = this.time.nanos();
		long lateBefore = this.sweeper.lateNanos();
		DeadlineSweeper.Watch watch = this.sweeper.watch();
		Optional<StoreException> failure = check(circuit, timeout);
		if (circuit.health() == StoreHealth.DOWN && isConnection(failure)) {
			// Lettuce may lose the reason for which a server closed a connection, and
			// this server has rejected calls before.
			failure = check(circuit, timeout);
		}
		watch.close();
		this.result.accept(circuit, failure);
		boolean starved = this.sweeper.lateNanos() - lateBefore >= this.settings.timeout().toNanos() / 2;
		return new Attempt(failure, starved, this.time.nanos() - startNanos);
	}

	private static boolean isConnection(Optional<StoreException> failure) {
		return failure.filter((one) -> one.kind() == Kind.CONNECTION).isPresent();
	}

	private Optional<StoreException> check(Circuit circuit, Duration timeout) {
		try {
			this.nodes.check(circuit.node(), timeout);
			return Optional.empty();
		}
		catch (StoreException ex) {
			return Optional.of(ex);
		}
		catch (RuntimeException | Error ex) {
			return Optional.of(new StoreException(Kind.OTHER, String.valueOf(ex), ex));
		}
	}

	@Override
	public void close() {
		Upkeep.Task running = this.rounds;
		if (running != null) {
			running.close();
		}
		this.workers.shutdownNow();
	}

	private record Attempt(Optional<StoreException> failure, boolean starved, long tookNanos) {
	}

}
