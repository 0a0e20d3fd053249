package dev.ratelimit.live.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.Upkeep;
import dev.ratelimit.store.redis.SharedKeys;
import dev.ratelimit.store.redis.SharedScript;
import org.jspecify.annotations.Nullable;

/**
 * Internal: polls Redis for changes several times a second, with one call for all
 * followers, over the connection of decisions. It runs while there are followers.
 * Thread-safe.
 */
public final class LivePoll {

	private static final int INTERVAL_MILLIS = 250;

	private static final int RETRY_MILLIS = 1000;

	private static final int SLACK_MILLIS = 200;

	/**
	 * The random variation of the interval, so that instances that started together do
	 * not poll together.
	 */
	private static final double SPREAD = 0.1;

	private static final Duration TIMEOUT = Duration.ofSeconds(1);

	private final SharedScript script;

	private final LiveClock clock;

	private final Upkeep upkeep;

	private final IntSupplier instances;

	private final List<Follower<?>> followers = new CopyOnWriteArrayList<>();

	private Upkeep.@Nullable Task running;

	private volatile boolean failing;

	LivePoll(SharedKeys keys, LiveClock clock, Upkeep upkeep, IntSupplier instances) {
		this.script = keys.script(List.of("live-poll"), LiveNames.HEAD, LiveNames.SWITCHES, LiveNames.CANDIDATE);
		this.clock = clock;
		this.upkeep = upkeep;
		this.instances = instances;
	}

	synchronized void add(Follower<?> follower) {
		this.followers.add(follower);
		if (this.running == null) {
			this.running = this.upkeep.start(Duration.ZERO, this::pause, "Failed to read live rules", this::round);
		}
	}

	synchronized void remove(Follower<?> follower) {
		this.followers.remove(follower);
		if (this.followers.isEmpty() && this.running != null) {
			this.running.close();
			this.running = null;
		}
	}

	/**
	 * Return the delay between the write and the activation of a version, within which
	 * all instances read it.
	 * @return the time in milliseconds
	 */
	long activationMillis() {
		return 2L * interval() + SLACK_MILLIS;
	}

	private int interval() {
		return Math.max(INTERVAL_MILLIS, this.instances.getAsInt());
	}

	private Duration pause() {
		double spread = 1 - SPREAD + 2 * SPREAD * ThreadLocalRandom.current().nextDouble();
		return Duration.ofMillis(Math.round(((this.failing) ? RETRY_MILLIS : interval()) * spread));
	}

	private void round() {
		try {
			long sentNanos = this.clock.nanos();
			PollReply reply = PollReply.of(this.script.await(TIMEOUT));
			this.clock.saw(reply.nowMillis(), sentNanos);
			this.failing = false;
			follow(reply);
		}
		catch (StoreException ex) {
			this.failing = true;
			this.followers.forEach((follower) -> follower.failed(ex));
		}
	}

	// An exception of one follower must not keep the others from the reply.
	private void follow(PollReply reply) {
		RuntimeException failure = null;
		for (Follower<?> follower : this.followers) {
			try {
				follower.polled(reply);
			}
			catch (RuntimeException ex) {
				failure = ex;
			}
		}
		if (failure != null) {
			throw failure;
		}
	}

	/**
	 * Reads and publishes the changes that a poll shows. It is called on one thread at a
	 * time.
	 *
	 * @param <T> the type of the published values
	 */
	public abstract static class Follower<T> {

		private final Consumer<? super T> receiver;

		private boolean closed;

		protected Follower(Consumer<? super T> receiver) {
			this.receiver = receiver;
		}

		protected abstract void polled(PollReply reply);

		protected abstract void failed(StoreException failure);

		protected final synchronized void publish(T next) {
			if (!this.closed) {
				this.receiver.accept(next);
			}
		}

		/**
		 * Stop calls of the receiver. After this method has returned, there are no
		 * further calls.
		 */
		final synchronized void close() {
			this.closed = true;
		}

	}

}
