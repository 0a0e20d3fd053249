package dev.ratelimit.store.redis;

import java.util.concurrent.CompletableFuture;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

import dev.ratelimit.store.Time;
import io.lettuce.core.api.StatefulConnection;
import org.jspecify.annotations.Nullable;

/**
 * Sends calls of scripts that change buckets of one server over the current connection,
 * and joins them if many are pending. Thread-safe.
 */
final class SharedCalls implements ScriptCalls {

	private static final long NO_DEADLINE_NANOS = Long.MAX_VALUE / 2;

	private final RedisConnector connector;

	private final BatchScripts scripts;

	private final Time time;

	private final Supplier<CallWindow.RoundTrip> roundTrips;

	private final IntConsumer calls;

	private volatile @Nullable CallWindow window;

	/**
	 * Create calls over the current connection.
	 * @param connector the connection
	 * @param clock the clock that the scripts use
	 * @param time the time
	 * @param roundTrips creates the estimate of the round-trip time for each connection
	 * @param calls receives the number of joined calls for each call
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
		CallWindow present = this.window;
		return (connection == null || (present != null && present.connection() == connection)) ? present : renew();
	}

	// A call that waits for a replaced connection ends when that connection is closed.
	private synchronized @Nullable CallWindow renew() {
		StatefulConnection<byte[], byte[]> connection = this.connector.connection();
		CallWindow present = this.window;
		if (connection != null && (present == null || present.connection() != connection)) {
			present = new CallWindow(connection, this.scripts, this.roundTrips.get(), this.time,
					this.connector::afterWrites, this.calls);
			this.window = present;
		}
		return present;
	}

}
