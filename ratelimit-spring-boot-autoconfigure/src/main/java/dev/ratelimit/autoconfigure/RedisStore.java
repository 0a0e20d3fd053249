package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.ToLongFunction;

import dev.ratelimit.StoreStateEvent;
import dev.ratelimit.base.WallClock;
import dev.ratelimit.rule.LimitSet;
import dev.ratelimit.store.CallSizes;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.RuleFailures;
import dev.ratelimit.store.ScriptUse;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.Upkeep;
import dev.ratelimit.store.guard.GuardSettings;
import dev.ratelimit.store.guard.OtherStores;
import dev.ratelimit.store.guard.StoreStatus;
import dev.ratelimit.store.lease.LeaseStatus;
import dev.ratelimit.store.lease.LeasedLimitStore;
import dev.ratelimit.store.redis.InstanceRegistry;
import dev.ratelimit.store.redis.RedisConnector;
import dev.ratelimit.store.redis.RedisLimitStore;
import dev.ratelimit.store.redis.RedisProperties;
import dev.ratelimit.store.region.PeerRegions;
import dev.ratelimit.store.region.RegionalLimitStore;

/**
 * Internal: the Redis store with the stages before it, the registration of this instance,
 * and the warm-up.
 */
public final class RedisStore implements AutoCloseable {

	/**
	 * Longer than the deadline, because the self-test does not check the speed of
	 * scripts.
	 */
	private static final Duration SCRIPT_TIMEOUT = Duration.ofSeconds(1);

	private final RateLimitProperties properties;

	private final GuardSettings guard;

	private final Time time;

	private final Upkeep upkeep;

	private final RuleFailures failures;

	private final Map<String, RedisConnector> connectors;

	private final BiFunction<RedisConnector, RuleFailures, RedisLimitStore> stores;

	private final Map<String, CallSizes> calls = new HashMap<>();

	private final RedisConnector connector;

	private final RedisLimitStore redis;

	private final Map<String, RedisLimitStore> others;

	private final InstanceRegistry instances;

	private final StoreStages.Chain stages;

	private volatile Optional<WarmUp> warmUp = Optional.empty();

	RedisStore(RedisConnector connector, Map<String, RedisConnector> others, String prefix,
			RateLimitProperties properties, WallClock clock, GuardSettings guard, Consumer<StoreStateEvent> events,
			Time time, Upkeep upkeep, ToLongFunction<String> maxHoldMillis) {
		this.properties = properties;
		this.guard = guard;
		this.time = time;
		this.upkeep = upkeep;
		this.failures = new RuleFailures(time);
		RedisProperties settings = properties.redis();
		this.connector = connector;
		this.connectors = others;
		this.stores = (server, seen) -> new RedisLimitStore(server, prefix, settings.hashTag(), settings.clock(),
				clock.source(), time, seen, sizes(server));
		this.redis = this.stores.apply(connector, this.failures);
		this.others = others(this.failures);
		this.instances = new InstanceRegistry(connector, prefix, settings.clock(), clock.source(),
				properties.local().minInstances(), upkeep);
		this.stages = new StoreStages(properties, guard, events, time, upkeep).redis(this.redis, this.others,
				peers(properties.regions(), time), this.instances, maxHoldMillis);
	}

	// Failures in other regions are recorded separately from failures of the rules in
	// this region.
	private Map<String, RedisLimitStore> peers(RegionProperties regions, Time time) {
		if (regions.peers().isEmpty()) {
			return Map.of();
		}
		Map<String, RedisLimitStore> peers = others(new RuleFailures(time));
		peers.keySet().retainAll(regions.peers());
		return peers;
	}

	private CallSizes sizes(RedisConnector server) {
		return this.calls.computeIfAbsent(server.name(), (name) -> new CallSizes());
	}

	private Map<String, RedisLimitStore> others(RuleFailures seen) {
		Map<String, RedisLimitStore> named = new LinkedHashMap<>();
		this.connectors.forEach((name, server) -> named.put(name, this.stores.apply(server, seen)));
		return named;
	}

	/**
	 * Start the warm-up of the path to Redis. The warm-up uses separate stages, so that
	 * slow calls do not change the state of the active stages, such as the circuit
	 * breaker.
	 */
	void startWarmUp() {
		if (!this.properties.warmUp().isZero()) {
			GuardSettings patient = new GuardSettings(this.guard.probeInterval(), this.properties.warmUp(),
					this.guard.maxInFlight());
			StoreStages apart = new StoreStages(this.properties, patient, (event) -> {
			}, this.time, this.upkeep);
			this.warmUp = Optional
				.of(new WarmUp(apart.redis(this.redis, Map.of(), Map.of(), () -> 1, (rule) -> Long.MAX_VALUE),
						this.properties, this.time));
		}
	}

	Optional<WarmUp> warmUp() {
		return this.warmUp;
	}

	Optional<StoreException> start(Duration timeout) {
		List<CompletableFuture<?>> starts = new ArrayList<>();
		this.stages.others()
			.values()
			.forEach((other) -> starts.add(CompletableFuture.runAsync(() -> other.start(timeout))));
		Optional<StoreException> failure = this.stages.guard().start(timeout);
		this.instances.join();
		starts.forEach(CompletableFuture::join);
		return failure;
	}

	// Failures of charges of a candidate are recorded separately from failures of the
	// active rules.
	public LimitStore candidate() {
		StoreStages apart = new StoreStages(this.properties, this.guard, (event) -> {
		}, this.time, this.upkeep);
		RuleFailures seen = new RuleFailures(this.time);
		return apart.candidate(this.stores.apply(this.connector, seen), others(seen), this.stages);
	}

	void check(ScriptUse use) {
		RedisLimitStore other = this.others.get(use.store());
		if (other != null) {
			other.check(use, SCRIPT_TIMEOUT);
		}
		else if (!use.store().equals(LimitSet.LOCAL_STORE)) {
			this.redis.check(use, SCRIPT_TIMEOUT);
		}
	}

	RuleFailures failures() {
		return this.failures;
	}

	LimitStore store() {
		return this.stages.first();
	}

	LeaseStatus leases() {
		return this.stages.leases().map(LeasedLimitStore::status).orElseThrow();
	}

	PeerRegions peers() {
		return new PeerRegions(this.stages.regions().map(RegionalLimitStore::peers).orElse(List.of()));
	}

	StoreStages.Chain stages() {
		return this.stages;
	}

	Map<String, Long> clockSkewMillis() {
		return this.redis.clockSkewMillis();
	}

	IntSupplier instances() {
		return this.instances;
	}

	CallSizes calls() {
		return sizes(this.connector);
	}

	StoreStatus status() {
		return this.stages.guard().status();
	}

	OtherStores otherStores() {
		List<OtherStores.Named> all = new ArrayList<>();
		this.stages.others()
			.forEach((name, guard) -> all.add(new OtherStores.Named(name, guard.status(),
					sizes(Objects.requireNonNull(this.connectors.get(name))))));
		return new OtherStores(all);
	}

	@Override
	public void close() {
		this.warmUp.ifPresent(WarmUp::close);
		this.stages.close();
		this.instances.close();
	}

}
