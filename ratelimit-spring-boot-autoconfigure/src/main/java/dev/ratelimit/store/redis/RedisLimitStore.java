package dev.ratelimit.store.redis;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketSlots;
import dev.ratelimit.store.CallSizes;
import dev.ratelimit.store.LateCharge;
import dev.ratelimit.store.LeaseReturn;
import dev.ratelimit.store.RuleFailures;
import dev.ratelimit.store.ScriptUse;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SlotRenewal;
import dev.ratelimit.store.StoreNodes;
import dev.ratelimit.store.StoreStage;
import dev.ratelimit.store.Time;

/**
 * Internal: counts in Redis with one script call per request, by default with the
 * server's clock for all instances. If there are {@link #slots()}, all buckets of a
 * request must be in one slot. Thread-safe.
 */
public final class RedisLimitStore implements StoreStage, StoreNodes {

	/** The upper bound of the ids of instances, below which numbers are exact in Lua. */
	private static final long HOLDERS = 1L << 53;

	private final RedisConnector connector;

	private final RedisKeys keys;

	private final RedisNodes nodes;

	private final RedisDecisions decisions;

	private final RedisCorrections corrections;

	private final SelfTest selfTest;

	/**
	 * Create a store that records the rules that need scripts which the server rejects.
	 * @param connector the connection
	 * @param prefix the start of all keys, such as {@code rl:orders}; without braces
	 * @param hashTag the part of a bucket's identity that keeps keys in one slot of a
	 * cluster
	 * @param clock the clock that buckets use
	 * @param system the instance's clock
	 * @param time the instance's monotonic time
	 * @param failures records these rules
	 * @param calls records the number of decisions in each call
	 */
	public RedisLimitStore(RedisConnector connector, String prefix, HashTag hashTag, RedisClock clock,
			InstantSource system, Time time, RuleFailures failures, CallSizes calls) {
		this(connector, prefix, hashTag, clock, system, time, failures, new SecureRandom().nextLong(HOLDERS),
				calls(connector, clock, time, calls));
	}

	RedisLimitStore(RedisConnector connector, String prefix, HashTag hashTag, RedisClock clock, InstantSource system,
			Time time, RuleFailures failures, long holder, ScriptCalls calls) {
		this.connector = connector;
		this.keys = new RedisKeys(prefix, hashTag);
		RequestEncoder encoder = new RequestEncoder(this.keys, clock, holder);
		this.nodes = new RedisNodes(connector, encoder, clock, system, time);
		this.decisions = new RedisDecisions(calls, encoder, this.nodes, time, failures);
		this.corrections = new RedisCorrections(connector, calls, encoder, this.nodes);
		this.selfTest = new SelfTest(connector, this.nodes, this.decisions, time);
	}

	// On a cluster, a call is for one slot, so that few calls could be joined. In
	// addition, calls to a node that does not respond would delay calls to the node that
	// replaces it.
	static ScriptCalls calls(RedisConnector connector, RedisClock clock, Time time, CallSizes sizes) {
		return (connector.isCluster()) ? new RedisLuaExecutor(connector::connection)
				: new SharedCalls(connector, clock, time, CallWindow.RoundTrip::new, sizes);
	}

	@Override
	public String name() {
		return this.connector.name();
	}

	/**
	 * Return the slots of buckets on a cluster.
	 * @return the slots; empty if one server holds all buckets
	 */
	public Optional<BucketSlots> slots() {
		return this.nodes.slots(this.keys);
	}

	@Override
	public CompletableFuture<AcquireResult> acquire(AcquireRequest request) {
		return this.decisions.decide(request);
	}

	@Override
	public CompletableFuture<Void> release(AcquireResult result) {
		return this.corrections.release(result);
	}

	@Override
	public CompletableFuture<Void> settle(List<Settlement> settlements) {
		for (Settlement settlement : settlements) {
			if (settlement.units() > 0) {
				this.decisions.moveFormer(settlement.bucket());
			}
		}
		return this.corrections.settle(settlements);
	}

	@Override
	public CompletableFuture<Settlement> charge(LateCharge late) {
		this.decisions.moveFormer(late.bucket());
		return this.corrections.charge(late);
	}

	@Override
	public CompletableFuture<Long> returnLease(LeaseReturn unspent) {
		return this.corrections.returnLease(unspent);
	}

	@Override
	public boolean renewsSlots() {
		return true;
	}

	@Override
	public CompletableFuture<SlotRenewal> renew(Map<Bucket, Long> held) {
		return this.corrections.renew(held);
	}

	@Override
	public CompletableFuture<Void> reset(List<Bucket> buckets) {
		return this.corrections.reset(buckets);
	}

	@Override
	public String nodeOf(Bucket bucket) {
		return this.nodes.of(bucket);
	}

	@Override
	public Set<String> nodes() {
		return this.nodes.all();
	}

	@Override
	public void check(String node, Duration timeout) {
		this.selfTest.run(node, timeout);
	}

	@Override
	public boolean isConnected(String node) {
		return this.connector.isConnected();
	}

	@Override
	public Collection<? extends Executor> replyThreads() {
		return this.connector.replyThreads();
	}

	/**
	 * Run the scripts that a rule needs, on every node, on buckets that belong to no
	 * client. Blocks.
	 * @param use the features that the rule needs of the store
	 * @param timeout the maximum time of each call
	 * @throws dev.ratelimit.store.StoreException if a script fails
	 */
	public void check(ScriptUse use, Duration timeout) {
		nodes().forEach((node) -> this.selfTest.run(this, use, node, timeout));
	}

	/**
	 * Return the time by which the servers' clocks are ahead of this instance's, plus the
	 * latency of a call. Unknown if the servers do not report the time.
	 * @return milliseconds by node, negative for clocks that are behind; without nodes
	 * that have not responded yet
	 */
	public Map<String, Long> clockSkewMillis() {
		return this.nodes.clockSkewMillis();
	}

	RedisNodes servers() {
		return this.nodes;
	}

}
