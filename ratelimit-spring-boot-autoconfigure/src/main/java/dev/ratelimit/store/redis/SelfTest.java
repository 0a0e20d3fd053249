package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;

import dev.ratelimit.FailurePolicy;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreException.Kind;
import dev.ratelimit.store.Time;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;

/**
 * Charges a bucket of nobody's, as a real demand would: over the connection there is, and
 * if that does not answer, over a fresh one, which takes its place if it does. A
 * connection whose other end has gone without a word looks whole for minutes.
 */
final class SelfTest {

	/** The first answer after a start comes late: classes are loaded, scripts sent. */
	private static final int TRIES = 3;

	private final RedisConnector connector;

	private final RedisNodes nodes;

	private final BiFunction<RedisLuaExecutor, AcquireRequest, CompletableFuture<AcquireResult>> decide;

	private final Time time;

	SelfTest(RedisConnector connector, RedisNodes nodes,
			BiFunction<RedisLuaExecutor, AcquireRequest, CompletableFuture<AcquireResult>> decide, Time time) {
		this.connector = connector;
		this.nodes = nodes;
		this.decide = decide;
		this.time = time;
	}

	void run(String node, Duration patience) {
		try {
			if (!answers(this.connector.connected(), node, patience)) {
				renew(node, patience);
			}
		}
		catch (RedisException ex) {
			throw RedisFailures.translate(ex);
		}
	}

	private boolean answers(StatefulConnection<byte[], byte[]> connection, String node, Duration patience) {
		try {
			charge(connection, node, patience);
			return true;
		}
		catch (StoreException ex) {
			if (ex.kind().isPermanent()) {
				throw ex;
			}
			return false;
		}
	}

	private void renew(String node, Duration patience) {
		this.connector.refreshTopology();
		StatefulConnection<byte[], byte[]> fresh = this.connector.open();
		try {
			charge(fresh, node, patience);
			this.connector.use(fresh);
		}
		catch (StoreException ex) {
			fresh.closeAsync();
			throw ex;
		}
	}

	private void charge(StatefulConnection<byte[], byte[]> connection, String node, Duration patience) {
		RedisLuaExecutor executor = new RedisLuaExecutor(() -> connection);
		for (int i = 1; true; i++) {
			try {
				charge(executor, node, patience);
				return;
			}
			catch (StoreException ex) {
				if (i == TRIES || ex.kind() != Kind.TIMEOUT) {
					throw ex;
				}
			}
		}
	}

	private void charge(RedisLuaExecutor executor, String node, Duration patience) {
		Charge charge = new Charge(this.nodes.testBucket(TestFamilies.ROOMY, node, "self-test"), 1, FailurePolicy.OPEN,
				false, false);
		AcquireRequest demand = new AcquireRequest(List.of(charge), Optional.empty(),
				this.time.nanos() + patience.toNanos());
		await(this.decide.apply(executor, demand), patience);
	}

	static <T> T await(CompletableFuture<T> answer, Duration patience) {
		try {
			return answer.get(patience.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new StoreException(Kind.OTHER, "interrupted", ex);
		}
		catch (TimeoutException ex) {
			throw new StoreException(Kind.TIMEOUT, "no response within " + patience.toMillis() + " ms", ex);
		}
		catch (ExecutionException ex) {
			throw RedisFailures.translate(ex);
		}
	}

}
