package dev.ratelimit.store.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

import dev.ratelimit.store.Time;
import io.lettuce.core.api.StatefulConnection;
import org.jspecify.annotations.Nullable;

/**
 * Sends calls of scripts that change buckets over the present connection, joined where
 * many are pending. On a cluster, each call is sent at once: a call is for one slot, so
 * that few could be joined, and calls to a node that does not respond must not delay
 * those to the node that takes its place. Thread-safe.
 */
final class SharedCalls implements ScriptCalls {

	private static final long NO_DEADLINE_NANOS = Long.MAX_VALUE / 2;

	private final RedisConnector connector;

	private final BatchScripts scripts;

	private final Time time;

	private final Supplier<CallWindow.RoundTrip> roundTrips;

	private final IntConsumer calls;

	private volatile @Nullable Windows windows;

	/**
	 * Calls over the present connection.
	 * @param connector the connection
	 * @param clock the clock that the scripts use
	 * @param time the time
	 * @param roundTrips measures how long a call takes; one for each connection
	 * @param calls receives for each call how many were joined
	 */
	SharedCalls(RedisConnector connector, RedisClock clock, Time time, Supplier<CallWindow.RoundTrip> roundTrips,
			IntConsumer calls) {
		this.connector = connector;
		this.scripts = new BatchScripts(clock);
		this.time = time;
		this.roundTrips = roundTrips;
		this.calls = calls;
	}

	@Override
	public CompletableFuture<long[]> run(ScriptCall call) {
		return run(call, this.time.nanos() + NO_DEADLINE_NANOS);
	}

	@Override
	public CompletableFuture<long[]> run(ScriptCall call, long deadlineNanos) {
		CallWindow window = window();
		return (window != null) ? window.send(call, deadlineNanos) : RedisLuaExecutor.notConnected();
	}

	@Override
	public CompletableFuture<long[]> runText(ScriptCall call) {
		CallWindow window = window();
		return (window != null) ? window.sendText(call) : RedisLuaExecutor.notConnected();
	}

	private @Nullable CallWindow window() {
		StatefulConnection<byte[], byte[]> connection = this.connector.connection();
		if (connection == null) {
			return null;
		}
		Windows present = this.windows;
		return ((present != null && present.connection == connection) ? present : renew(connection)).window;
	}

	// The connection may have been replaced since it was read.
	private synchronized Windows renew(StatefulConnection<byte[], byte[]> seen) {
		StatefulConnection<byte[], byte[]> newest = this.connector.connection();
		StatefulConnection<byte[], byte[]> connection = (newest != null) ? newest : seen;
		Windows old = this.windows;
		if (old != null && old.connection == connection) {
			return old;
		}
		Windows fresh = new Windows(connection);
		this.windows = fresh;
		return fresh;
	}

	/**
	 * The window of a connection.
	 */
	private final class Windows {

		private final StatefulConnection<byte[], byte[]> connection;

		private final CallWindow window;

		Windows(StatefulConnection<byte[], byte[]> connection) {
			this.connection = connection;
			CallWindow.RoundTrip roundTrip = (SharedCalls.this.connector.isCluster()) ? new Unlimited()
					: SharedCalls.this.roundTrips.get();
			this.window = new CallWindow(connection, SharedCalls.this.scripts, ConcurrentHashMap.newKeySet(), roundTrip,
					SharedCalls.this.time, SharedCalls.this.connector::afterWrites, SharedCalls.this.calls);
		}

	}

	/**
	 * Any number of calls may be pending.
	 */
	private static final class Unlimited extends CallWindow.RoundTrip {

		@Override
		int width(int decisions) {
			return Integer.MAX_VALUE;
		}

	}

}
