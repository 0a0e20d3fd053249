package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.FailurePolicy;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.ScriptUse;
import dev.ratelimit.store.Stance;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreException.Kind;
import dev.ratelimit.store.Time;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;

/**
 * Charges a bucket of nobody's, as a real request would: over the connection there is,
 * and if that does not respond, over a fresh one, which takes its place if it does. A
 * connection whose other end has gone without a word looks whole for minutes.
 */
final class SelfTest {

	/** The first response after a start comes late: classes are loaded, scripts sent. */
	private static final int TRIES = 3;

	private final RedisConnector connector;

	private final RedisNodes nodes;

	private final RedisDecisions decisions;

	private final Time time;

	SelfTest(RedisConnector connector, RedisNodes nodes, RedisDecisions decisions, Time time) {
		this.connector = connector;
		this.nodes = nodes;
		this.decisions = decisions;
		this.time = time;
	}

	void run(String node, Duration patience) {
		try {
			if (!results(this.connector.connected(), node, patience)) {
				renew(node, patience);
			}
		}
		catch (RedisException ex) {
			throw RedisFailures.translate(ex);
		}
	}

	/**
	 * Run the scripts that a rule needs.
	 * @param store the store whose scripts they are
	 * @param use what the rule asks of the store
	 * @param node where to run them
	 * @param patience how long each call may take
	 */
	void run(LimitStore store, ScriptUse use, String node, Duration patience) {
		new ScriptTrial(store, this.nodes, use, node, patience, this.time).run();
	}

	private boolean results(StatefulConnection<byte[], byte[]> connection, String node, Duration patience) {
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
				Stance.ENFORCED, false);
		AcquireRequest request = new AcquireRequest(List.of(charge), Optional.empty(),
				this.time.nanos() + patience.toNanos());
		RedisFailures.await(this.decisions.decide(executor, request), patience);
	}

}
