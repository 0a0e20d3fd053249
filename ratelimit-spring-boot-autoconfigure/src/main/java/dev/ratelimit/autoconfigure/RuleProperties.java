package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;

import dev.ratelimit.Consistency;
import dev.ratelimit.ExcessPolicy;
import dev.ratelimit.FailurePolicy;
import dev.ratelimit.MissingKeyPolicy;
import dev.ratelimit.Phase;
import dev.ratelimit.RuleMode;
import dev.ratelimit.rule.Holder;
import dev.ratelimit.rule.LimitSetDefinition;
import dev.ratelimit.rule.RegionMode;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleDefinition;
import dev.ratelimit.rule.RuleOptions;
import dev.ratelimit.rule.SplitPatterns;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;

/**
 * Internal: one rule, below {@code ratelimit.rules.<id>}.
 *
 * @param paths Path patterns after the context path. Without patterns, the rule only
 * applies where an annotation or code references it.
 * @param exceptPaths Path patterns to exclude.
 * @param methods HTTP methods; GET includes HEAD. By default, all.
 * @param key Key that identifies a client: caller, user, ip, global, route, header:X,
 * cookie:x, path:x, param:x, form:x, claim:x, arg:x, entry:x, bean:x, or a list of these.
 * @param limit Limit, such as 100/min, 20/min burst 30, 1000/day Europe/Paris, or 20
 * concurrent.
 * @param limits Several limits, which all apply.
 * @param burst Capacity: the number of units that are available at once. By default, the
 * quantity of the limit.
 * @param algorithm Algorithm of limits that do not set one.
 * @param zone Time zone of calendar hours, days, weeks, and months. Sets the algorithm
 * fixed-window.
 * @param credit Only with the algorithm token-bucket: how far one request may overdraw a
 * bucket that still has units. The debt is refilled first.
 * @param lease Only with the algorithm concurrency: how long slots remain occupied if
 * their instance does not renew them. By default, 1 minute.
 * @param store Name of the store that counts: default, local (this instance alone), or
 * one below ratelimit.stores. By default, default.
 * @param maxHold Only with the algorithm concurrency: the maximum time that a request can
 * hold a slot. By default, 1 hour; with hold connection, 24 hours.
 * @param hold Only with the algorithm concurrency: the holder of a slot.
 * @param reserve Only with the algorithm concurrency: slots that only requests of a level
 * and of the levels above it can take, by level (critical, high, normal): a percentage
 * such as 20%, or a number.
 * @param plans Limits that replace those of the rule, by the plan of the client.
 * @param overrides Limits that replace those of the rule and of the plan, by the value of
 * the first part of the key that names a client (not route, ip, or global); at most 1000.
 * @param cost Cost of one request: a number, header:X, param:x, content-length, graphql,
 * or bean:x.
 * @param failure Policy to apply while Redis is unavailable.
 * @param mode Whether the rule rejects, only counts, or does nothing.
 * @param enforce Percentage of clients that the rule rejects, such as 25%; it only counts
 * the others. By default, 100%.
 * @param onExcess Treatment of requests that exceed the limits: reject them, reject them
 * after a delay (tarpit), or allow them with a mark for the handler (degrade). By
 * default, reject.
 * @param tarpit Only with on-excess tarpit: how rejections are delayed.
 * @param ban When to ban or mark a client for a while.
 * @param onMissingKey How to handle requests without the key.
 * @param phase Whether to evaluate the rule before or after authentication.
 * @param status HTTP status of rejections, from 400 to 599.
 * @param idempotency Whether a retry with the same Idempotency-Key is free.
 * @param refund Response statuses that refund the charge.
 * @param countOnly Response statuses that keep the charge; all others refund it.
 * @param replaces Ids of rules that do not apply to requests of this rule.
 * @param bucket Name under which rules with equal limits share their buckets.
 * @param consistency Whether each decision calls Redis, or instances lease units in
 * advance.
 * @param allow Addresses and networks that the rule does not limit.
 * @param deny Addresses and networks whose requests the rule rejects.
 * @param bypassAuthorities Authorities that bypass the rule.
 * @param programmatic Whether only code references the rule; it needs no paths.
 * @param waiting How requests wait that exceed the limits: a duration, or an object.
 * @param descriptor Descriptors of Envoy that the rule applies to, instead of requests.
 * @param graphql Root fields of GraphQL operations that the rule applies to, instead of
 * requests, such as Mutation.order or Query.*.
 * @param regions How the limits hold in several regions: each region counts alone (each),
 * has a share by its weight (split), or reports its charges to the others (shared). By
 * default, each.
 * @param locked Whether live rules and switches cannot change the rule.
 */
public record RuleProperties(@DefaultValue List<String> paths, @DefaultValue List<String> exceptPaths,
		@DefaultValue List<String> methods, @DefaultValue List<String> key, @Nullable String limit,
		@DefaultValue List<LimitProperties> limits, @Nullable Long burst, @Nullable String algorithm,
		@Nullable String zone, @Nullable Long credit, @Nullable Duration lease, @Nullable String store,
		@Nullable Duration maxHold, @Nullable Holder hold, @DefaultValue Map<String, String> reserve,
		@DefaultValue Map<String, PlanProperties> plans, @DefaultValue Map<String, PlanProperties> overrides,
		@Nullable String cost, @Nullable FailurePolicy failure, @Nullable RuleMode mode, @Nullable String enforce,
		@Nullable ExcessPolicy onExcess, @NestedConfigurationProperty @Nullable TarpitProperties tarpit,
		@NestedConfigurationProperty @Nullable BanProperties ban, @Nullable MissingKeyPolicy onMissingKey,
		@Nullable Phase phase, @Nullable Integer status, @Nullable Boolean idempotency,
		@NestedConfigurationProperty @Nullable StatusProperties refund,
		@NestedConfigurationProperty @Nullable StatusProperties countOnly, @DefaultValue List<String> replaces,
		@Nullable String bucket, @Nullable Consistency consistency, @DefaultValue List<String> allow,
		@DefaultValue List<String> deny, @DefaultValue List<String> bypassAuthorities,
		@DefaultValue("false") boolean programmatic,
		@Name("wait") @Nullable @NestedConfigurationProperty WaitProperties waiting,
		@NestedConfigurationProperty @Nullable DescriptorProperties descriptor, @DefaultValue List<String> graphql,
		@Nullable RegionMode regions, @Nullable Boolean locked) {

	RuleDefinition definition(String location) {
		Rule.Match match = new Rule.Match(SplitPatterns.rejoined(this.paths), SplitPatterns.rejoined(this.exceptPaths),
				this.methods.stream().map((method) -> method.toUpperCase(Locale.ROOT)).toList(), this.programmatic);
		return new RuleDefinition(match, this.key,
				new LimitNumbers(this.limit, this.burst, this.algorithm, this.zone, this.credit, this.lease)
					.set(location, LimitProperties.definitions(location, this.limits), this.store),
				definitions(this.plans, (name) -> location + ".plans." + name),
				definitions(this.overrides, (value) -> location + ".overrides[" + value + "]"),
				RuleOptions.of(location, this));
	}

	private static Map<String, LimitSetDefinition> definitions(Map<String, PlanProperties> written,
			UnaryOperator<String> location) {
		Map<String, LimitSetDefinition> definitions = new LinkedHashMap<>();
		written.forEach((name, numbers) -> definitions.put(name, numbers.definition(location.apply(name))));
		return definitions;
	}

}
