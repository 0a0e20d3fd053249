package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.ratelimit.RuleMode;
import dev.ratelimit.base.Check;
import dev.ratelimit.base.Finding;
import dev.ratelimit.base.FindingCode;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.engine.RegionTerms;
import dev.ratelimit.rule.LimitSet;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.store.Upkeep;
import dev.ratelimit.store.redis.RedisConnector;
import dev.ratelimit.store.redis.RedisPersistence;

/**
 * Finds limits per day or longer that are counted in a Redis that can lose counts.
 */
final class QuotaStorageCheck implements Check, AutoCloseable {

	private static final Duration LONG_WINDOW = Duration.ofDays(1);

	private final Editions editions;

	private final RegionTerms regions;

	private final Map<String, RedisPersistence> stores = new LinkedHashMap<>();

	QuotaStorageCheck(Editions editions, RegionTerms regions, RedisConnector connector,
			Map<String, RedisConnector> others, Upkeep upkeep) {
		this.editions = editions;
		this.regions = regions;
		this.stores.put(LimitSet.DEFAULT_STORE, new RedisPersistence(connector, upkeep));
		others.forEach((name, other) -> this.stores.put(name, new RedisPersistence(other, upkeep)));
	}

	@Override
	public List<Finding> findings() {
		List<Finding> findings = new ArrayList<>();
		this.stores.forEach((name, store) -> store.weakness()
			.ifPresent((weakness) -> this.editions.current()
				.rules()
				.rules()
				.values()
				.stream()
				.filter((rule) -> isQuota(rule, name))
				.map((rule) -> new Finding(FindingCode.LOSSY_QUOTA, rule.location(), weakness))
				.forEach(findings::add)));
		return findings;
	}

	private boolean isQuota(Rule rule, String store) {
		return rule.reaction().mode() != RuleMode.OFF && rule.numbers()
			.sets()
			.values()
			.stream()
			.filter((limits) -> this.regions.store(limits.store()).equals(store))
			.flatMap((limits) -> limits.limits().stream())
			.anyMatch((limit) -> !limit.concurrent() && limit.period().compareTo(LONG_WINDOW) >= 0);
	}

	@Override
	public void close() {
		this.stores.values().forEach(RedisPersistence::close);
	}

}
