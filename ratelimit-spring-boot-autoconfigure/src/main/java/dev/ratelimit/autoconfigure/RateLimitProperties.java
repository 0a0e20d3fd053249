package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import dev.ratelimit.base.AuthorityProperties;
import dev.ratelimit.base.NamespaceProperties;
import dev.ratelimit.base.PropertyChecks;
import dev.ratelimit.method.MethodProperties;
import dev.ratelimit.rule.LimitSet;
import dev.ratelimit.store.StoreDeadlines;
import dev.ratelimit.store.redis.RedisProperties;
import dev.ratelimit.store.redis.StoreProperties;
import dev.ratelimit.web.response.HeaderProperties;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Internal: properties below {@code ratelimit}. Unknown properties prevent the
 * application from starting, because a limit with a misspelled property would not be
 * enforced.
 *
 * @param enabled Whether to enable rate limiting.
 * @param store Store that counts requests.
 * @param deadline Maximum time a request waits for Redis, in all phases together, from
 * 1ms to 1h; up to five times as long while this instance is overloaded.
 * @param warmUp Maximum time to warm up the path to Redis before the web server starts; 0
 * to disable. It ends as soon as calls are fast.
 * @param maxInFlight Maximum number of decisions waiting for Redis. Further decisions
 * apply the failure policies of their rules. A quarter is reserved for rules with
 * failure: closed. By default, 128 on servlet stacks without virtual threads and 1024
 * elsewhere.
 * @param denialMemory Maximum time to remember a rejection by Redis, at most 1 minute; 0
 * to call Redis each time.
 * @param secret Secret for hashing idempotency keys, partition keys, and subjects. Must
 * be the same on all instances. Without it, idempotency keys are hashed with the key
 * prefix and subjects with a random key in Redis. Partition keys require it.
 * @param plan Source of the plan of a client.
 * @param defaults Defaults of rules.
 * @param rules Rules by id.
 * @param memory In-memory store.
 * @param redis Redis store.
 * @param stores Other stores in Redis, by the names that rules, plans, and overrides use.
 * @param regions Regions, each with a Redis of its own.
 * @param local Local counts while Redis is unavailable.
 * @param idempotency Retries with an Idempotency-Key, for rules that enable them.
 * @param servlet Settings of servlet stacks.
 * @param circuit Circuit breaker of the store.
 * @param leases Leases, for rules that do not call Redis for each decision.
 * @param observation Observations of decisions, for tracing and meters.
 * @param headers Rate limit headers.
 * @param methods Limits on methods of beans that are not web handlers.
 * @param clientAddress Resolution of the client address.
 * @param allow Addresses and networks that no rule limits.
 * @param deny Addresses and networks whose requests are rejected.
 * @param preflightHeaders Request headers that CORS preflights may have although the key
 * of a rule reads them, such as those that a gateway adds to all requests.
 * @param bypassAuthorities Authorities that bypass rules evaluated after authentication.
 * @param namespaces Teams that own rules, and may change their own.
 * @param authorities Names of the authorities that management and the API require.
 */
@ConfigurationProperties(prefix = "ratelimit", ignoreUnknownFields = false)
public record RateLimitProperties(@DefaultValue("true") boolean enabled, @DefaultValue("auto") StoreType store,
		@DefaultValue("50ms") Duration deadline, @DefaultValue("1s") Duration warmUp, @Nullable Integer maxInFlight,
		@DefaultValue("1s") Duration denialMemory, @Nullable String secret, @Nullable PlanSource plan,
		@NestedConfigurationProperty @DefaultValue DefaultsProperties defaults,
		@DefaultValue Map<String, RuleProperties> rules, @DefaultValue Memory memory,
		@NestedConfigurationProperty @DefaultValue RedisProperties redis,
		@DefaultValue Map<String, StoreProperties> stores,
		@NestedConfigurationProperty @DefaultValue RegionProperties regions, @DefaultValue Local local,
		@NestedConfigurationProperty @DefaultValue IdempotencyProperties idempotency, @DefaultValue Servlet servlet,
		@DefaultValue Circuit circuit, @DefaultValue Leases leases, @DefaultValue Observation observation,
		@NestedConfigurationProperty @DefaultValue HeaderProperties headers,
		@NestedConfigurationProperty @DefaultValue MethodProperties methods,
		@NestedConfigurationProperty @DefaultValue ClientAddressProperties clientAddress,
		@DefaultValue List<String> allow, @DefaultValue List<String> deny, @DefaultValue List<String> preflightHeaders,
		@DefaultValue List<String> bypassAuthorities, @DefaultValue Map<String, NamespaceProperties> namespaces,
		@NestedConfigurationProperty @DefaultValue AuthorityProperties authorities) {

	private static final Pattern STORE = Pattern.compile("[a-z][a-z0-9-]{0,31}");

	private static final Duration MAX_WARM_UP = Duration.ofMinutes(1);

	public RateLimitProperties {
		PropertyChecks.require(PropertyChecks.isUpToAnHour(deadline), "deadline", deadline,
				"it must be between 1 ms and 1 h",
				"Set the maximum time that a request waits for the store, such as 50ms.");
		PropertyChecks.require(!warmUp.isNegative() && warmUp.compareTo(MAX_WARM_UP) <= 0, "warm-up", warmUp,
				"it must be between 0 and 1 min",
				"Set the maximum duration of the warm-up, such as 1s, or 0 to disable it.");
		PropertyChecks.require(maxInFlight == null || maxInFlight >= 1, "max-in-flight", String.valueOf(maxInFlight),
				"it must be positive", "Set the maximum number of decisions waiting for Redis, such as 128.");
		PropertyChecks.require(!denialMemory.isNegative() && denialMemory.compareTo(Duration.ofMinutes(1)) <= 0,
				"denial-memory", denialMemory, "it must be between 0 and 1 min",
				"Set the maximum time to remember a rejection, such as 1s, or 0 to always call Redis.");
		PropertyChecks.require(!headers.partitionKeys() || (secret != null && !secret.isEmpty()),
				"headers.partition-keys", "true",
				"without 'ratelimit.secret', clients could find the key of a hash by trial",
				"Set 'ratelimit.secret' to a random string, the same on all instances.");
		NamespaceProperties.all(namespaces);
		stores.forEach(RateLimitProperties::require);
		regions.requireStores(stores.keySet());
	}

	private static void require(String name, StoreProperties store) {
		String location = "stores." + name;
		PropertyChecks.require(STORE.matcher(name).matches(), "stores", name,
				"the name of a store must be a lowercase letter followed by at most 31 lowercase letters, digits, and"
						+ " dashes",
				"Rename the store.");
		PropertyChecks.require(!name.equals(LimitSet.DEFAULT_STORE) && !name.equals(LimitSet.LOCAL_STORE), "stores",
				name, "this name is that of a store that is always there",
				"Rename the store. The store 'default' is configured by 'ratelimit.redis'.");
		PropertyChecks.require(store.isPlaced(), location, "", "it does not say where its Redis is",
				"Set 'ratelimit." + location + ".host', or 'url', 'cluster.nodes', or 'sentinel'.");
		PropertyChecks.require(store.deadline() == null || PropertyChecks.isUpToAnHour(store.deadline()),
				location + ".deadline", String.valueOf(store.deadline()), "it must be between 1 ms and 1 h",
				"Set the maximum time that a request waits for this store, such as 250ms.");
	}

	/**
	 * Return the maximum times that a request waits for the stores.
	 * @return the deadlines
	 */
	StoreDeadlines deadlines() {
		Map<String, Duration> own = new HashMap<>();
		this.stores.forEach((name, store) -> {
			if (store.deadline() != null) {
				own.put(name, store.deadline());
			}
		});
		return new StoreDeadlines(this.deadline, own);
	}

	/**
	 * Stores that count requests.
	 */
	public enum StoreType {

		/** Redis if a connection is configured, otherwise memory. */
		AUTO,

		/** The in-memory store. */
		MEMORY,

		/** Redis. */
		REDIS

	}

	/**
	 * Source of the plan of a client: text such as authority:PLAN_, or an object.
	 *
	 * @param from Source of the plan: authority:PREFIX, claim:name, or header:Name.
	 * @param trusted Whether a trusted proxy always sets the header of the plan.
	 * Otherwise, clients could choose their plan.
	 */
	public record PlanSource(String from, @DefaultValue("false") boolean trusted) {

		/**
		 * Return a source that is written as text.
		 * @param text such as authority:PLAN_
		 * @return the source
		 */
		public static PlanSource of(String text) {
			return new PlanSource(text, false);
		}

	}

	/**
	 * In-memory store.
	 *
	 * @param maxBuckets Maximum number of buckets in memory, at least one for each limit
	 * of each rule.
	 */
	public record Memory(@DefaultValue("500000") long maxBuckets) {

		public Memory {
			PropertyChecks.require(maxBuckets >= 1, "memory.max-buckets", maxBuckets, "it must be positive",
					"Set the maximum number of buckets, such as 500000.");
		}

	}

	/**
	 * Local counts while Redis is unavailable, for rules with failure: local.
	 *
	 * @param minInstances Minimum number of instances that share the limits.
	 */
	public record Local(@DefaultValue("1") int minInstances) {

		public Local {
			PropertyChecks.require(minInstances >= 1, "local.min-instances", minInstances, "it must be positive",
					"Set the minimum number of instances, such as 1.");
		}

	}

	/**
	 * Settings of servlet stacks.
	 *
	 * @param maxWaiting Maximum number of platform threads that wait for requests at a
	 * time: those that a leaky bucket delays, and those that wait for a limit. Without a
	 * place, a delayed request is rejected.
	 */
	public record Servlet(@DefaultValue("50") int maxWaiting) {

		public Servlet {
			PropertyChecks.require(maxWaiting >= 0, "servlet.max-waiting", maxWaiting, "it must not be negative",
					"Set the maximum number of waiting threads, such as 50.");
		}

	}

	/**
	 * Circuit breaker of the store.
	 *
	 * @param probeInterval Interval of the background probes of an unavailable Redis,
	 * from 1ms to 1h.
	 */
	public record Circuit(@DefaultValue("1s") Duration probeInterval) {

		public Circuit {
			PropertyChecks.require(PropertyChecks.isUpToAnHour(probeInterval), "circuit.probe-interval", probeInterval,
					"it must be between 1 ms and 1 h",
					"Set the interval between probes of an unavailable store, such as 1s.");
		}

	}

	/**
	 * Leases, for rules that do not call Redis for each decision.
	 *
	 * @param length How long leased units can be spent, from 100ms to 1m.
	 * @param ahead An instance leases as many units as it expects to spend in this time.
	 * @param hotRate Units per second on one instance from which a bucket is leased, for
	 * rules with consistency auto.
	 * @param maxBuckets Maximum number of buckets of which an instance holds leased
	 * units.
	 */
	public record Leases(@DefaultValue("2s") Duration length, @DefaultValue("200ms") Duration ahead,
			@DefaultValue("20") int hotRate, @DefaultValue("10000") int maxBuckets) {

		public Leases {
			PropertyChecks.require(length.toMillis() >= 100 && length.toMillis() <= 60_000, "leases.length", length,
					"it must be between 100 ms and 1 min", "Set how long leased units can be used, such as 2s.");
			PropertyChecks.require(PropertyChecks.isPositive(ahead) && ahead.compareTo(length) <= 0, "leases.ahead",
					ahead, "it must be between 1 ms and 'ratelimit.leases.length'",
					"Set how far ahead an instance leases units, such as 200ms.");
			PropertyChecks.require(hotRate >= 1, "leases.hot-rate", hotRate, "it must be positive",
					"Set the minimum units per second of a leased bucket, such as 20.");
			PropertyChecks.require(maxBuckets >= 1, "leases.max-buckets", maxBuckets, "it must be positive",
					"Set the maximum number of leased buckets per instance, such as 10000.");
		}

	}

	/**
	 * Observations of decisions, for tracing and meters.
	 *
	 * @param enabled Whether to make a Micrometer observation of each decision on a
	 * request or method call.
	 */
	public record Observation(@DefaultValue("false") boolean enabled) {
	}

}
