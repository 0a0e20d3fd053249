package dev.ratelimit.rule;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

import dev.ratelimit.FailurePolicy;
import dev.ratelimit.MissingKeyPolicy;
import dev.ratelimit.Phase;
import dev.ratelimit.RuleMode;

/**
 * Internal: writes a rule in code, in the words of {@code ratelimit.rules}. What is left
 * out is as there, without {@code ratelimit.defaults}. Not thread-safe.
 */
public final class RuleBuilder {

	private final String id;

	private Rule.Match match = Rule.Match.NONE;

	private List<String> key = List.of();

	private final List<LimitDefinition> limits = new ArrayList<>();

	private OptionalLong burst = OptionalLong.empty();

	private Optional<String> algorithm = Optional.empty();

	private final Map<String, LimitSetDefinition> plans = new TreeMap<>();

	private RuleOptions options = RuleOptions.EMPTY;

	RuleBuilder(String id) {
		this.id = id;
	}

	/**
	 * Apply to paths.
	 * @param patterns path patterns after the context path
	 * @return this builder
	 */
	public RuleBuilder paths(String... patterns) {
		this.match = new Rule.Match(List.of(patterns), this.match.exceptPaths(), this.match.methods());
		return this;
	}

	/**
	 * Leave out paths.
	 * @param patterns patterns of the paths
	 * @return this builder
	 */
	public RuleBuilder exceptPaths(String... patterns) {
		this.match = new Rule.Match(this.match.paths(), List.of(patterns), this.match.methods());
		return this;
	}

	/**
	 * Apply to HTTP methods.
	 * @param names the methods, upper case; all by default
	 * @return this builder
	 */
	public RuleBuilder methods(String... names) {
		this.match = new Rule.Match(this.match.paths(), this.match.exceptPaths(), List.of(names));
		return this;
	}

	/**
	 * Set whose bucket a request charges.
	 * @param parts the key's parts, such as {@code user} or {@code header:X-Api-Key};
	 * {@code caller} by default
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
	 * Add a limit with all that may be written of it.
	 * @param limit the limit
	 * @return this builder
	 */
	public RuleBuilder limit(LimitDefinition limit) {
		this.limits.add(limit);
		return this;
	}

	/**
	 * Set the burst of the only limit.
	 * @param units how many units may come at once
	 * @return this builder
	 */
	public RuleBuilder burst(long units) {
		this.burst = OptionalLong.of(units);
		return this;
	}

	/**
	 * Set the algorithm of limits that name none, also of plans.
	 * @param algorithmId the algorithm's id
	 * @return this builder
	 */
	public RuleBuilder algorithm(String algorithmId) {
		this.algorithm = Optional.of(algorithmId);
		return this;
	}

	/**
	 * Add a plan.
	 * @param name the plan's name
	 * @param texts its limits
	 * @return this builder
	 */
	public RuleBuilder plan(String name, String... texts) {
		this.plans.put(name, new LimitSetDefinition(definitions(texts), OptionalLong.empty(), Optional.empty()));
		return this;
	}

	/**
	 * Set what one request costs.
	 * @param text a number, {@code header:X}, {@code param:x}, {@code content-length} or
	 * {@code bean:x}; 1 by default
	 * @return this builder
	 */
	public RuleBuilder cost(String text) {
		return with(RuleOptions.COST, text);
	}

	/**
	 * Set what answers while the store is unavailable.
	 * @param policy the policy; open by default
	 * @return this builder
	 */
	public RuleBuilder failure(FailurePolicy policy) {
		return with(RuleOptions.FAILURE, policy);
	}

	/**
	 * Set whether the rule refuses.
	 * @param mode the mode; it does by default
	 * @return this builder
	 */
	public RuleBuilder mode(RuleMode mode) {
		return with(RuleOptions.MODE, mode);
	}

	/**
	 * Set what a request without the key gets.
	 * @param policy the policy; a bucket shared by all such requests by default
	 * @return this builder
	 */
	public RuleBuilder onMissingKey(MissingKeyPolicy policy) {
		return with(RuleOptions.ON_MISSING_KEY, policy);
	}

	/**
	 * Set when the rule is decided.
	 * @param phase the phase; found from the key by default
	 * @return this builder
	 */
	public RuleBuilder phase(Phase phase) {
		return with(RuleOptions.PHASE, phase);
	}

	/**
	 * Let retries with the same idempotency key be free.
	 * @return this builder
	 */
	public RuleBuilder idempotency() {
		return with(RuleOptions.IDEMPOTENCY, true);
	}

	/**
	 * Let other rules not apply where this one does.
	 * @param ids their ids
	 * @return this builder
	 */
	public RuleBuilder replaces(String... ids) {
		return with(RuleOptions.REPLACES, List.of(ids));
	}

	/**
	 * Share buckets with other rules.
	 * @param name the name of the buckets; the rule has its own by default
	 * @return this builder
	 */
	public RuleBuilder bucket(String name) {
		return with(RuleOptions.BUCKET, name);
	}

	/**
	 * Set any option, also one that has no method of its own here.
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
	 * Make the rule.
	 * @return the rule
	 * @throws InvalidRuleException if it can never work; the message says why, and what
	 * to change
	 */
	public Rule build() {
		LimitSetDefinition quota = new LimitSetDefinition(List.copyOf(this.limits), this.burst, this.algorithm);
		return RuleFactory.rule(this.id, Origin.PROPERTY, new Checks("Rule.builder(\"" + this.id + "\")", (warning) -> {
		}), new RuleDefinition(this.match, this.key, quota, Map.copyOf(this.plans), this.options, false));
	}

	private static List<LimitDefinition> definitions(String... texts) {
		return List.of(texts).stream().map(LimitDefinition::of).toList();
	}

}
