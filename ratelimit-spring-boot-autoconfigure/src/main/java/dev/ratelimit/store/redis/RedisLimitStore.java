package dev.ratelimit.store.redis;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketSlots;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.FormerLimit;
import dev.ratelimit.store.LeaseReturn;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.RuleFailures;
import dev.ratelimit.store.ScriptUse;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.StoreNodes;
import dev.ratelimit.store.Time;

/**
 * Internal: counts in Redis: one script call a demand, on one server's clock for the
 * whole fleet. All buckets of a demand must lie in one slot where there are
 * {@link #slots()}. Thread-safe.
 */
public final class RedisLimitStore implements LimitStore, StoreNodes {

	private final RedisConnector connector;

	private final RedisKeys keys;

	private final RedisLuaExecutor executor;

	private final DemandEncoder encoder;

	private final RedisNodes nodes;

	private final SelfTest selfTest;

	private final RuleFailures failures;

	private final Time time;

	/** Our time of a decision, given what is known of the server's. */
	private final ToLongFunction<ServerClock> clock;

	/**
	 * A store that counts by the server's clock.
	 * @param connector the connection
	 * @param prefix what all keys start with, such as {@code rl:orders}; without braces
	 */
	public RedisLimitStore(RedisConnector connector, String prefix) {
		this(connector, prefix, HashTag.SUBJECT, RedisClock.SERVER);
	}

	/**
	 * A store.
	 * @param connector the connection
	 * @param prefix what all keys start with, such as {@code rl:orders}; without braces
	 * @param hashTag what keeps keys in one slot of a cluster
	 * @param clock whose clock buckets are counted by
	 */
	public RedisLimitStore(RedisConnector connector, String prefix, HashTag hashTag, RedisClock clock) {
		this(connector, prefix, hashTag, clock, InstantSource.system(), Time.SYSTEM, new RuleFailures(Time.SYSTEM));
	}

	/**
	 * A store in an instance with clocks of its own, which records which rules' scripts
	 * the server rejects.
	 * @param connector the connection
	 * @param prefix what all keys start with, such as {@code rl:orders}; without braces
	 * @param hashTag what keeps keys in one slot of a cluster
	 * @param clock whose clock buckets are counted by
	 * @param system the instance's clock
	 * @param time the instance's time that nobody sets
	 * @param failures where to record them
	 */
	public RedisLimitStore(RedisConnector connector, String prefix, HashTag hashTag, RedisClock clock,
			InstantSource system, Time time, RuleFailures failures) {
		this(connector, new RedisKeys(prefix, hashTag), clock,
				(clock == RedisClock.SERVER) ? ServerClock::nowMillis : ServerClock::systemMillis, system, time,
				failures);
	}

	RedisLimitStore(RedisConnector connector, String prefix, HashTag hashTag, LongSupplier clock) {
		this(connector, new RedisKeys(prefix, hashTag), RedisClock.CLIENT, (server) -> clock.getAsLong(),
				InstantSource.system(), Time.SYSTEM, new RuleFailures(Time.SYSTEM));
	}

	private RedisLimitStore(RedisConnector connector, RedisKeys keys, RedisClock whose,
			ToLongFunction<ServerClock> clock, InstantSource system, Time time, RuleFailures failures) {
		this.connector = connector;
		this.keys = keys;
		this.executor = new RedisLuaExecutor(connector::connection);
		this.encoder = new DemandEncoder(keys, whose);
		this.nodes = new RedisNodes(connector, this.encoder, system, time);
		this.clock = clock;
		this.time = time;
		this.failures = failures;
		this.selfTest = new SelfTest(connector, this.nodes, this::decide, time);
	}

	@Override
	public String name() {
		return "redis";
	}

	/**
	 * Where buckets lie on a cluster.
	 * @return the slots, none if one server holds all buckets
	 */
	public Optional<BucketSlots> slots() {
		return (this.connector.isCluster()) ? Optional.of(new HashSlots(this.keys, this.encoder)) : Optional.empty();
	}

	@Override
	public CompletableFuture<AcquireResult> acquire(AcquireRequest demand) {
		return decide(this.executor, demand);
	}

	private CompletableFuture<AcquireResult> decide(RedisLuaExecutor executor, AcquireRequest demand) {
		ServerClock server = this.nodes.clock(this.nodes.of(demand.charges().get(0).bucket()));
		long nowMillis = this.clock.applyAsLong(server);
		for (Charge charge : demand.charges()) {
			if (charge.bucket().family().former().isPresent()) {
				move(executor, charge.bucket(), charge.bucket().family().former().get(), nowMillis);
			}
		}
		return new DecisionCall(executor, this.encoder, demand, server, this.failures).send(nowMillis);
	}

	// Goes ahead of the decision on the same connection; if it fails, so will the
	// decision.
	private void move(RedisLuaExecutor executor, Bucket bucket, FormerLimit former, long nowMillis) {
		if (former.matters(this.time.nanos())) {
			executor.runText(this.encoder.move(bucket, former.family(), nowMillis));
		}
	}

	@Override
	public CompletableFuture<Void> release(AcquireResult answer) {
		return this.executor.run(this.encoder.undo(answer, nowMillis(answer.bucket(0)))).thenApply((reply) -> null);
	}

	@Override
	public CompletableFuture<Void> settle(List<Settlement> settlements) {
		return this.executor.run(this.encoder.encode(settlements, nowMillis(settlements.get(0).bucket())))
			.thenApply((reply) -> null);
	}

	@Override
	public CompletableFuture<Long> giveBack(LeaseReturn loan) {
		return this.executor.run(this.encoder.encode(loan, nowMillis(loan.bucket()))).thenApply((reply) -> reply[1]);
	}

	@Override
	public CompletableFuture<Void> reset(List<Bucket> buckets) {
		Resets resets = Resets.of(buckets);
		if (resets.parts().isEmpty()) {
			return delete(resets.whole());
		}
		CompletableFuture<long[]> parts = this.executor
			.run(this.encoder.reset(resets.parts(), nowMillis(resets.parts().get(0))));
		return (resets.whole().isEmpty()) ? parts.thenApply((reply) -> null)
				: parts.thenCombine(delete(resets.whole()), (reply, deleted) -> null);
	}

	private CompletableFuture<Void> delete(List<Bucket> buckets) {
		return this.executor.delete(buckets.stream().map(this.encoder::key).toArray(byte[][]::new));
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
	public void check(String node, Duration patience) {
		this.selfTest.run(node, patience);
	}

	@Override
	public Collection<? extends Executor> replyThreads() {
		return this.connector.replyThreads();
	}

	/**
	 * Run the scripts that a rule needs, on every node, on buckets of nobody's. Blocks.
	 * @param use what the rule asks of the store
	 * @param patience how long each call may take
	 * @throws dev.ratelimit.store.StoreException if a script fails
	 */
	public void check(ScriptUse use, Duration patience) {
		for (String node : nodes()) {
			new ScriptTrial(this, this.nodes, use, node, patience, this.time).run();
		}
	}

	/**
	 * How far the servers' clocks are ahead of this instance's, with as much more as a
	 * call takes. Unknown where the servers do not tell the time.
	 * @return milliseconds by node, negative for clocks that are behind; without nodes
	 * that have not answered yet
	 */
	public Map<String, Long> clockSkewMillis() {
		return this.nodes.clockSkewMillis();
	}

	ServerClock clock(String node) {
		return this.nodes.clock(node);
	}

	private long nowMillis(Bucket bucket) {
		return this.clock.applyAsLong(this.nodes.clock(this.nodes.of(bucket)));
	}

}
