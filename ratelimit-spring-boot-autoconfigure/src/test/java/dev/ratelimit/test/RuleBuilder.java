package dev.ratelimit.test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Consumer;

import dev.ratelimit.Consistency;
import dev.ratelimit.FailurePolicy;
import dev.ratelimit.MissingKey;
import dev.ratelimit.Phase;
import dev.ratelimit.RuleMode;
import dev.ratelimit.rule.LimitDefinition;
import dev.ratelimit.rule.Origin;
import dev.ratelimit.rule.QuotaDefinition;
import dev.ratelimit.rule.Refund;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleDefinition;
import dev.ratelimit.rule.RuleFactory;
import dev.ratelimit.rule.RuleOptions;

/**
 * Writes rules for tests as users write them.
 */
public final class RuleBuilder {

	private final String id;

	private RuleDefinition definition;

	private RuleBuilder(String id, RuleDefinition definition) {
		this.id = id;
		this.definition = definition;
	}

	public static RuleBuilder rule(String id, String... limits) {
		return new RuleBuilder(id, RuleDefinition.EMPTY).quota(limits(limits), OptionalLong.empty());
	}

	public RuleBuilder paths(String... paths) {
		return match(new Rule.Match(List.of(paths), List.of(), List.of()));
	}

	public RuleBuilder exceptPaths(String... paths) {
		return match(new Rule.Match(List.of(), List.of(paths), List.of()));
	}

	public RuleBuilder methods(String... methods) {
		return match(new Rule.Match(List.of(), List.of(), List.of(methods)));
	}

	public RuleBuilder key(String... key) {
		return with(new RuleDefinition(Rule.Match.NONE, List.of(key), QuotaDefinition.EMPTY, Map.of(),
				RuleOptions.EMPTY, false));
	}

	public RuleBuilder burst(long burst) {
		return quota(this.definition.quota().limits(), OptionalLong.of(burst));
	}

	public RuleBuilder algorithm(String algorithm) {
		return with(new RuleDefinition(Rule.Match.NONE, List.of(),
				new QuotaDefinition(List.of(), OptionalLong.empty(), Optional.of(algorithm)), Map.of(),
				RuleOptions.EMPTY, false));
	}

	/**
	 * One limit more, with an algorithm of its own.
	 */
	public RuleBuilder limit(String limit, String algorithm) {
		List<LimitDefinition> limits = new ArrayList<>(this.definition.quota().limits());
		limits.add(new LimitDefinition(limit, OptionalLong.empty(), Optional.of(algorithm)));
		return quota(limits, OptionalLong.empty());
	}

	public RuleBuilder plan(String name, String... limits) {
		Map<String, QuotaDefinition> plans = new TreeMap<>(this.definition.plans());
		plans.put(name, new QuotaDefinition(limits(limits), OptionalLong.empty(), Optional.empty()));
		return with(
				new RuleDefinition(Rule.Match.NONE, List.of(), QuotaDefinition.EMPTY, plans, RuleOptions.EMPTY, false));
	}

	public RuleBuilder cost(long cost) {
		return cost(Long.toString(cost));
	}

	public RuleBuilder cost(String cost) {
		return option((options) -> options.cost = Optional.of(cost));
	}

	public RuleBuilder closed() {
		return option((options) -> options.failure = Optional.of(FailurePolicy.CLOSED));
	}

	public RuleBuilder mode(RuleMode mode) {
		return option((options) -> options.mode = Optional.of(mode));
	}

	public RuleBuilder onMissingKey(MissingKey onMissingKey) {
		return option((options) -> options.onMissingKey = Optional.of(onMissingKey));
	}

	public RuleBuilder phase(Phase phase) {
		return option((options) -> options.phase = Optional.of(phase));
	}

	public RuleBuilder status(int status) {
		return option((options) -> options.status = OptionalInt.of(status));
	}

	public RuleBuilder idempotency() {
		return option((options) -> options.idempotency = Optional.of(true));
	}

	public RuleBuilder refund(Refund refund) {
		return option((options) -> options.refund = Optional.of(refund));
	}

	public RuleBuilder replaces(String... ids) {
		return option((options) -> options.replaces = List.of(ids));
	}

	public RuleBuilder consistency(Consistency consistency) {
		return with(new RuleDefinition(Rule.Match.NONE, List.of(), QuotaDefinition.EMPTY, Map.of(),
				RuleOptions.EMPTY.with(Optional.of(consistency)), false));
	}

	public RuleBuilder bucket(String name) {
		return option((options) -> options.bucket = Optional.of(name));
	}

	public RuleDefinition definition() {
		return this.definition;
	}

	public Rule build() {
		return new RuleFactory(RuleDefinition.EMPTY).rule(this.id, Origin.PROPERTY, "ratelimit.rules." + this.id,
				this.definition);
	}

	private static List<LimitDefinition> limits(String... limits) {
		return Arrays.stream(limits).map(LimitDefinition::of).toList();
	}

	private RuleBuilder match(Rule.Match match) {
		return with(new RuleDefinition(match, List.of(), QuotaDefinition.EMPTY, Map.of(), RuleOptions.EMPTY, false));
	}

	private RuleBuilder quota(List<LimitDefinition> limits, OptionalLong burst) {
		return with(new RuleDefinition(Rule.Match.NONE, List.of(), new QuotaDefinition(limits, burst, Optional.empty()),
				Map.of(), RuleOptions.EMPTY, false));
	}

	private RuleBuilder option(Consumer<Options> one) {
		Options options = new Options();
		one.accept(options);
		return with(new RuleDefinition(Rule.Match.NONE, List.of(), QuotaDefinition.EMPTY, Map.of(), options.options(),
				false));
	}

	private RuleBuilder with(RuleDefinition part) {
		this.definition = part.over(this.definition);
		return this;
	}

	/**
	 * One option that is written, and no other.
	 */
	private static final class Options {

		private Optional<String> cost = Optional.empty();

		private Optional<FailurePolicy> failure = Optional.empty();

		private Optional<RuleMode> mode = Optional.empty();

		private Optional<MissingKey> onMissingKey = Optional.empty();

		private Optional<Phase> phase = Optional.empty();

		private OptionalInt status = OptionalInt.empty();

		private Optional<Boolean> idempotency = Optional.empty();

		private Optional<Refund> refund = Optional.empty();

		private List<String> replaces = List.of();

		private Optional<String> bucket = Optional.empty();

		RuleOptions options() {
			return new RuleOptions(this.cost, this.failure, this.mode, this.onMissingKey, this.phase, this.status,
					this.idempotency, this.refund, this.replaces, this.bucket);
		}

	}

}
