package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.ratelimit.Consistency;
import dev.ratelimit.FailurePolicy;
import dev.ratelimit.MissingKey;
import dev.ratelimit.RuleMode;
import dev.ratelimit.rule.InvalidRuleException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Internal: everything under {@code ratelimit}. A property that is not known fails the
 * start: a limit with a misspelt property would be no limit.
 *
 * @param enabled Whether anything is limited at all.
 * @param store Where buckets are counted.
 * @param deadline Longest time that one request waits for the store, in all phases
 * together, from 1ms to 1h.
 * @param warmUp Maximum time to warm up the path to Redis before the web server starts; 0
 * to disable. It ends as soon as calls are fast.
 * @param maxInFlight Maximum number of decisions waiting for Redis; further ones apply
 * their rules' failure policies. A quarter is kept for rules with failure: closed. By
 * default, 128 on servlet stacks without virtual threads and 1024 elsewhere.
 * @param denialMemory How long a rejection by Redis is remembered at most, at most 1
 * minute; 0 to ask Redis each time.
 * @param secret Key of the hashes that name replay markers and partitions; the same in
 * the whole fleet. By default, derived from the key prefix.
 * @param plan Where the plan of a caller is found.
 * @param defaults What rules inherit.
 * @param rules Rules by id.
 * @param memory Counting in this process.
 * @param redis Counting in Redis.
 * @param local Counting by each instance while Redis does not answer.
 * @param idempotency Retries with an Idempotency-Key, for rules that honour them.
 * @param servlet What holds on servlet stacks alone.
 * @param circuit The circuit breaker before the store.
 * @param leases Borrowing in advance, for rules that do not ask Redis each time.
 * @param doctor Looking for what is configured and yet not right.
 * @param headers What clients are told in header fields.
 * @param client How the application's own HTTP clients behave where they are limited.
 * @param methods Limits on methods of beans that are no web handlers.
 * @param clientAddress Whose address is the client's.
 * @param allow Addresses and networks that no rule limits.
 * @param deny Addresses and networks that are refused, whatever they ask for.
 * @param bypassAuthorities Authorities whose holders are not limited by rules that are
 * decided after authentication.
 */
@ConfigurationProperties(prefix = "ratelimit", ignoreUnknownFields = false)
public record RateLimitProperties(@DefaultValue("true") boolean enabled, @DefaultValue("auto") StoreType store,
		@DefaultValue("50ms") Duration deadline, @DefaultValue("1s") Duration warmUp, @Nullable Integer maxInFlight,
		@DefaultValue("1s") Duration denialMemory, @Nullable String secret, @Nullable PlanSource plan,
		@DefaultValue Defaults defaults, @DefaultValue Map<String, RuleProperties> rules, @DefaultValue Memory memory,
		@NestedConfigurationProperty @DefaultValue RedisProperties redis, @DefaultValue Local local,
		@DefaultValue Idempotency idempotency, @DefaultValue Servlet servlet, @DefaultValue Circuit circuit,
		@DefaultValue Leases leases, @NestedConfigurationProperty @DefaultValue DoctorProperties doctor,
		@NestedConfigurationProperty @DefaultValue HeaderProperties headers,
		@NestedConfigurationProperty @DefaultValue ClientProperties client, @DefaultValue Methods methods,
		@NestedConfigurationProperty @DefaultValue ClientAddressProperties clientAddress,
		@DefaultValue List<String> allow, @DefaultValue List<String> deny,
		@DefaultValue List<String> bypassAuthorities) {

	private static final Duration LONGEST_WARM_UP = Duration.ofMinutes(1);

	public RateLimitProperties {
		require(isUpToAnHour(deadline), "deadline", deadline, "it must be from 1 ms to 1 h",
				"Set the longest time that a request may wait for the store, such as 50ms.");
		require(!warmUp.isNegative() && warmUp.compareTo(LONGEST_WARM_UP) <= 0, "warm-up", warmUp,
				"it must be from 0 to 1 min", "Set the maximum time of the warm-up, such as 1s, or 0 to disable it.");
		require(maxInFlight == null || maxInFlight >= 1, "max-in-flight", String.valueOf(maxInFlight),
				"it must be positive", "Set how many decisions may wait for Redis at a time, such as 128.");
		require(!denialMemory.isNegative() && denialMemory.compareTo(Duration.ofMinutes(1)) <= 0, "denial-memory",
				denialMemory, "it must be from 0 to 1 min",
				"Set how long a rejection may be remembered, such as 1s, or 0 to ask Redis each time.");
		require(!headers.partitionKeys() || (secret != null && !secret.isEmpty()), "headers.partition-keys", "true",
				"without 'ratelimit.secret' anybody could find out by trial whose key it is",
				"Set 'ratelimit.secret' to a text that is hard to guess, the same in the whole fleet.");
	}

	static boolean isPositive(Duration duration) {
		return duration.toMillis() >= 1;
	}

	private static boolean isUpToAnHour(Duration duration) {
		return isPositive(duration) && duration.compareTo(Duration.ofHours(1)) <= 0;
	}

	static void require(boolean condition, String name, Object value, String reason, String action) {
		if (!condition) {
			throw new InvalidRuleException("ratelimit." + name, value.toString(), reason, action);
		}
	}

	/**
	 * Where buckets may be counted.
	 */
	public enum StoreType {

		/** Redis where a connection to one is configured, otherwise memory. */
		AUTO,

		/** This process. */
		MEMORY,

		/** Redis. */
		REDIS

	}

	/**
	 * Where the plan of a caller is found: text such as authority:PLAN_, or an object.
	 *
	 * @param from Source of the plan: authority:PREFIX, claim:name or header:Name.
	 * @param trusted Whether the header of the plan is set by a proxy of yours: callers
	 * choose their headers.
	 */
	public record PlanSource(String from, @DefaultValue("false") boolean trusted) {

		/**
		 * A source written as text.
		 * @param text such as authority:PLAN_
		 * @return the source
		 */
		public static PlanSource of(String text) {
			return new PlanSource(text, false);
		}

	}

	/**
	 * What rules inherit.
	 *
	 * @param key Whose bucket: caller, user, ip, global, route, header:X, path:x,
	 * param:x, form:x, claim:x, bean:x, or a list of these.
	 * @param algorithm Algorithm of limits that name none.
	 * @param failure What answers while the store is unavailable.
	 * @param mode Whether rules refuse, only watch, or rest.
	 * @param onMissingKey What a request without the key gets.
	 * @param status HTTP status of a refusal, from 400 to 599.
	 * @param idempotency Whether a retry with the same Idempotency-Key is free.
	 * @param consistency Whether each decision asks Redis, or units are borrowed in
	 * advance.
	 */
	public record Defaults(@DefaultValue List<String> key, @Nullable String algorithm, @Nullable FailurePolicy failure,
			@Nullable RuleMode mode, @Nullable MissingKey onMissingKey, @Nullable Integer status,
			@Nullable Boolean idempotency, @Nullable Consistency consistency) {
	}

	/**
	 * Counting in this process.
	 *
	 * @param maxBuckets Most buckets that are remembered at a time, at least one for each
	 * limit of each rule.
	 */
	public record Memory(@DefaultValue("500000") long maxBuckets) {

		public Memory {
			require(maxBuckets >= 1, "memory.max-buckets", maxBuckets, "it must be positive",
					"Set room for as many buckets as callers are active at a time, such as 500000.");
		}

	}

	/**
	 * Counting by each instance while Redis does not answer, for rules that fail locally.
	 *
	 * @param minInstances How many instances share the limits at least, however many are
	 * known.
	 */
	public record Local(@DefaultValue("1") int minInstances) {

		public Local {
			require(minInstances >= 1, "local.min-instances", minInstances, "it must be positive",
					"Set how many instances there are at least, such as 1.");
		}

	}

	/**
	 * Retries with an Idempotency-Key.
	 *
	 * @param ttl How long a key is remembered, at most 24 hours.
	 * @param methods HTTP methods whose keys are honoured. By default, POST and PATCH.
	 * @param maxReplays How many retries of one request are free, at most 999.
	 * @param maxMarkers How many keys of one caller are remembered at a time.
	 * @param syntax Whether a key must be a quoted string (strict), or may be bare
	 * (lenient).
	 */
	public record Idempotency(@DefaultValue("24h") Duration ttl, @DefaultValue List<String> methods,
			@DefaultValue("3") int maxReplays, @DefaultValue("1000") int maxMarkers,
			@DefaultValue("lenient") Syntax syntax) {

		private static final Duration LONGEST = Duration.ofHours(24);

		public Idempotency {
			methods = (!methods.isEmpty()) ? List.copyOf(methods) : List.of("POST", "PATCH");
			require(isPositive(ttl) && ttl.compareTo(LONGEST) <= 0, "idempotency.ttl", ttl,
					"it must be from 1 ms to 24 h", "Set how long a retry is recognised, such as 24h.");
			require(maxReplays >= 0 && maxReplays <= 999, "idempotency.max-replays", maxReplays,
					"it must be from 0 to 999", "Set how many retries of a request are free, such as 3.");
			require(maxMarkers >= 1, "idempotency.max-markers", maxMarkers, "it must be at least 1",
					"Set how many keys of a caller are remembered, such as 1000.");
		}

		/**
		 * How an Idempotency-Key may be written.
		 */
		public enum Syntax {

			/** Quoted or bare. */
			LENIENT,

			/** Quoted, as the draft says. */
			STRICT

		}

	}

	/**
	 * What holds on servlet stacks alone.
	 *
	 * @param maxWaiting Most requests that a leaky bucket holds at a time, each on a
	 * thread; further ones are refused.
	 */
	public record Servlet(@DefaultValue("50") int maxWaiting) {

		public Servlet {
			require(maxWaiting >= 0, "servlet.max-waiting", maxWaiting, "it must not be negative",
					"Set how many threads may wait, such as 50.");
		}

	}

	/**
	 * The circuit breaker before the store.
	 *
	 * @param probeInterval How often a store that does not answer is tried again, in the
	 * background, from 1ms to 1h.
	 */
	public record Circuit(@DefaultValue("1s") Duration probeInterval) {

		public Circuit {
			require(isUpToAnHour(probeInterval), "circuit.probe-interval", probeInterval, "it must be from 1 ms to 1 h",
					"Set how often a store that does not answer is tried again, such as 1s.");
		}

	}

	/**
	 * Borrowing in advance, for rules that do not ask Redis each time.
	 *
	 * @param length How long borrowed units may be spent, from 100ms to 1m.
	 * @param ahead For how long of its own demand an instance borrows at a time.
	 * @param hotRate Units per second on one instance from which a bucket of a rule with
	 * consistency auto is leased.
	 * @param maxBuckets Most buckets of which an instance holds units at a time.
	 */
	public record Leases(@DefaultValue("2s") Duration length, @DefaultValue("200ms") Duration ahead,
			@DefaultValue("20") int hotRate, @DefaultValue("10000") int maxBuckets) {

		public Leases {
			require(length.toMillis() >= 100 && length.toMillis() <= 60_000, "leases.length", length,
					"it must be from 100 ms to 1 min", "Set how long borrowed units may be spent, such as 2s.");
			require(isPositive(ahead) && ahead.compareTo(length) <= 0, "leases.ahead", ahead,
					"it must be from 1 ms to 'ratelimit.leases.length'",
					"Set for how long of its demand an instance borrows, such as 200ms.");
			require(hotRate >= 1, "leases.hot-rate", hotRate, "it must be positive",
					"Set from how many units per second a bucket is leased, such as 20.");
			require(maxBuckets >= 1, "leases.max-buckets", maxBuckets, "it must be positive",
					"Set of how many buckets an instance may hold units, such as 10000.");
		}

	}

	/**
	 * Limits on methods of beans that are no web handlers.
	 *
	 * @param enabled Whether RateLimited holds for methods of beans that are no web
	 * handlers.
	 */
	public record Methods(@DefaultValue("true") boolean enabled) {
	}

}
