package dev.ratelimit.rule;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Stream;

import dev.ratelimit.FailurePolicy;
import dev.ratelimit.MissingKeyPolicy;
import dev.ratelimit.Phase;
import dev.ratelimit.RuleMode;

/**
 * Builder for rules of tests. The options are those of {@code ratelimit.rules}, with the
 * same defaults, but without {@code ratelimit.defaults}. Not thread-safe.
 */
public final class RuleBuilder {

	private final String id;

	private Rule.Match match = Rule.Match.NONE;

	private List<String> key = List.of();

	private final List<LimitDefinition> limits = new ArrayList<>();

	private OptionalLong burst = OptionalLong.empty();

	private Optional<String> algorithm = Optional.empty();

	private final Map<String, LimitSetDefinition> plans = new TreeMap<>();

	private final Map<String, LimitSetDefinition> overrides = new TreeMap<>();

	private Optional<String> store = Optional.empty();

	private RuleOptions options = RuleOptions.EMPTY;

	private RuleBuilder(String id) {
		this.id = id;
	}

	/**
	 * Begin a rule.
	 * @param id the ID of the rule
	 * @return a rule without limits
	 */
	public static RuleBuilder rule(String id) {
		return new RuleBuilder(id);
	}

	/**
	 * Set the root fields of GraphQL operations.
	 * @param fields the fields
	 * @return this builder
	 */
	public RuleBuilder graphQl(String... fields) {
		this.options = this.options.with(RuleOptions.GRAPHQL, GraphQlFields.parse(List.of(fields)));
		return this;
	}

	/**
	 * Set the descriptors of Envoy.
	 * @param domain the domain
	 * @param entries their entries, such as {@code plan=free}
	 * @return this builder
	 */
	public RuleBuilder descriptor(String domain, String... entries) {
		this.options = this.options.with(RuleOptions.DESCRIPTOR,
				new Descriptor(domain, Stream.of(entries).map(Descriptor.Entry::parse).toList()));
		return this;
	}

	/**
	 * Set the paths.
	 * @param patterns path patterns after the context path
	 * @return this builder
	 */
	public RuleBuilder paths(String... patterns) {
		this.match = new Rule.Match(List.of(patterns), this.match.exceptPaths(), this.match.methods());
		return this;
	}

	/**
	 * Exclude paths.
	 * @param patterns patterns of the paths
	 * @return this builder
	 */
	public RuleBuilder exceptPaths(String... patterns) {
		this.match = new Rule.Match(this.match.paths(), List.of(patterns), this.match.methods());
		return this;
	}

	/**
	 * Set the HTTP methods.
	 * @param names the methods, in upper case; by default, all
	 * @return this builder
	 */
	public RuleBuilder methods(String... names) {
		this.match = new Rule.Match(this.match.paths(), this.match.exceptPaths(), List.of(names));
		return this;
	}

	/**
	 * Set the key, which identifies a client.
	 * @param parts the parts of the key, such as {@code user} or
	 * {@code header:X-Api-Key}; by default, {@code caller}
	 * @return this builder
	 */
	public RuleBuilder key(String... parts) {
		this.key = List.of(parts);
		return this;
	}

	/**
	 * Add limits.
	 * @param texts the limits, such as {@code 100/min}
	 * @return this builder
	 */
	public RuleBuilder limits(String... texts) {
		this.limits.addAll(definitions(texts));
		return this;
	}

	/**
	 * Add a limit with all its options.
	 * @param limit the limit
	 * @return this builder
	 */
	public RuleBuilder limit(LimitDefinition limit) {
		this.limits.add(limit);
		return this;
	}

	/**
	 * Set the capacity of the only limit.
	 * @param units the number of units that are available at once
	 * @return this builder
	 */
	public RuleBuilder burst(long units) {
		this.burst = OptionalLong.of(units);
		return this;
	}

	/**
	 * Set the algorithm of limits that do not set one, including those of plans.
	 * @param algorithmId the ID of the algorithm
	 * @return this builder
	 */
	public RuleBuilder algorithm(String algorithmId) {
		this.algorithm = Optional.of(algorithmId);
		return this;
	}

	/**
	 * Add a plan.
	 * @param name the name of the plan
	 * @param texts the limits
	 * @return this builder
	 */
	public RuleBuilder plan(String name, String... texts) {
		this.plans.put(name, new LimitSetDefinition(definitions(texts), OptionalLong.empty(), Optional.empty()));
		return this;
	}

	/**
	 * Add other limits for one value of the key.
	 * @param value the value, such as the name of a user
	 * @param texts the limits
	 * @return this builder
	 */
	public RuleBuilder override(String value, String... texts) {
		this.overrides.put(value, new LimitSetDefinition(definitions(texts), OptionalLong.empty(), Optional.empty()));
		return this;
	}

	/**
	 * Set the cost of one request.
	 * @param text a number, {@code header:X}, {@code param:x}, {@code content-length}, or
	 * {@code bean:x}; by default, 1
	 * @return this builder
	 */
	public RuleBuilder cost(String text) {
		return with(RuleOptions.COST, text);
	}

	/**
	 * Set the policy to apply while the store is unavailable.
	 * @param policy the policy; by default, {@link FailurePolicy#OPEN}
	 * @return this builder
	 */
	public RuleBuilder failure(FailurePolicy policy) {
		return with(RuleOptions.FAILURE, policy);
	}

	/**
	 * Set whether the rule rejects, only counts, or does nothing.
	 * @param mode the mode; by default, {@link RuleMode#ENFORCE}
	 * @return this builder
	 */
	public RuleBuilder mode(RuleMode mode) {
		return with(RuleOptions.MODE, mode);
	}

	/**
	 * Set how to handle requests without the key.
	 * @param policy the policy; by default, the client address replaces a missing user or
	 * claim, and requests without another key share one bucket
	 * @return this builder
	 */
	public RuleBuilder onMissingKey(MissingKeyPolicy policy) {
		return with(RuleOptions.ON_MISSING_KEY, policy);
	}

	/**
	 * Set the phase in which the rule is evaluated.
	 * @param phase the phase; by default, {@link Phase#AUTO}
	 * @return this builder
	 */
	public RuleBuilder phase(Phase phase) {
		return with(RuleOptions.PHASE, phase);
	}

	/**
	 * Make retries with the same {@code Idempotency-Key} free.
	 * @return this builder
	 */
	public RuleBuilder idempotency() {
		return with(RuleOptions.IDEMPOTENCY, true);
	}

	/**
	 * Replace other rules for requests of this rule.
	 * @param ids the IDs of the replaced rules
	 * @return this builder
	 */
	public RuleBuilder replaces(String... ids) {
		return with(RuleOptions.REPLACES, List.of(ids));
	}

	/**
	 * Share buckets with other rules.
	 * @param name the name of the buckets; by default, the rule has its own
	 * @return this builder
	 */
	public RuleBuilder bucket(String name) {
		return with(RuleOptions.BUCKET, name);
	}

	/**
	 * Set any option, including options without a method in this builder.
	 * @param <T> the type of its value
	 * @param option one of the constants of {@link RuleOptions}
	 * @param value its value
	 * @return this builder
	 */
	public <T> RuleBuilder with(RuleOptions.Option<T> option, T value) {
		this.options = this.options.with(option, value);
		return this;
	}

	/**
	 * Set the store.
	 * @param name the name of the store
	 * @return this builder
	 */
	public RuleBuilder store(String name) {
		this.store = Optional.of(name);
		return this;
	}

	/**
	 * Build the rule.
	 * @return the rule
	 * @throws InvalidRuleException if the rule is invalid; the message contains the
	 * reason
	 */
	public Rule build() {
		LimitSetDefinition quota = new LimitSetDefinition(List.copyOf(this.limits), this.burst, this.algorithm,
				LimitOptions.NONE, this.store);
		return RuleLayers.inCode(this.id, new RuleDefinition(this.match, this.key, quota, Map.copyOf(this.plans),
				Map.copyOf(this.overrides), this.options));
	}

	private static List<LimitDefinition> definitions(String... texts) {
		return List.of(texts).stream().map(LimitDefinition::of).toList();
	}

}
