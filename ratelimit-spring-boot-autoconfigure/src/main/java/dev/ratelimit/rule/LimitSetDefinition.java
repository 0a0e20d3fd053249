package dev.ratelimit.rule;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Internal: the numbers of a rule or of a plan as written. Immutable.
 *
 * @param limits the limits
 * @param burst the burst of the only limit
 * @param algorithm the algorithm of limits without a configured algorithm
 * @param options the options that only some algorithms support, for limits that do not
 * set them
 * @param store the name of the store that counts, if written
 */
public record LimitSetDefinition(List<LimitDefinition> limits, OptionalLong burst, Optional<String> algorithm,
		LimitOptions options, Optional<String> store) {

	/** No values. */
	public static final LimitSetDefinition EMPTY = new LimitSetDefinition(List.of(), OptionalLong.empty(),
			Optional.empty());

	/**
	 * Create a set with an inherited store.
	 * @param limits the limits
	 * @param burst the burst of the only limit
	 * @param algorithm the algorithm of limits without a configured algorithm
	 * @param options the options that only some algorithms support
	 */
	public LimitSetDefinition(List<LimitDefinition> limits, OptionalLong burst, Optional<String> algorithm,
			LimitOptions options) {
		this(limits, burst, algorithm, options, Optional.empty());
	}

	/**
	 * Create a set without options.
	 * @param limits the limits
	 * @param burst the burst of the only limit
	 * @param algorithm the algorithm of limits without a configured algorithm
	 */
	public LimitSetDefinition(List<LimitDefinition> limits, OptionalLong burst, Optional<String> algorithm) {
		this(limits, burst, algorithm, LimitOptions.NONE);
	}

	/**
	 * Create a set of one limit, whose text may contain several properties.
	 * @param location the location of the limit, for messages
	 * @param text the text of the limit
	 * @param burst the additional burst
	 * @param algorithm the additional algorithm
	 * @param options the additional options
	 * @return the set
	 * @throws InvalidRuleException if an additional value differs from the text
	 */
	public static LimitSetDefinition of(String location, String text, OptionalLong burst, Optional<String> algorithm,
			LimitOptions options) {
		LimitDefinition whole = LimitDefinition.of(text).with(location, burst, algorithm, options);
		LimitDefinition number = new LimitDefinition(whole.limit(), OptionalLong.empty(), Optional.empty());
		return new LimitSetDefinition(List.of(number), whole.burst(), whole.algorithm(), whole.options());
	}

	/**
	 * Return these numbers with a store.
	 * @param name the name of the store, if written
	 * @return the numbers
	 */
	public LimitSetDefinition in(Optional<String> name) {
		return new LimitSetDefinition(this.limits, this.burst, this.algorithm, this.options, name);
	}

	/**
	 * Return these numbers, completed by other numbers. The burst and the credit belong
	 * to the limits, so they are inherited only together with them. The algorithm and the
	 * store are inherited separately, and so are the other options, unless the algorithms
	 * differ.
	 * @param base the other numbers
	 * @return the combined numbers
	 */
	LimitSetDefinition over(LimitSetDefinition base) {
		boolean own = this.burst.isPresent() || !this.limits.isEmpty();
		LimitSetDefinition inherited = (this.limits.isEmpty()) ? base : base.withoutNumbers();
		return new LimitSetDefinition((this.limits.isEmpty()) ? base.limits : this.limits,
				(own) ? this.burst : base.burst, this.algorithm.or(base::algorithm),
				(countsOtherwise(base)) ? this.options : this.options.over(inherited.options),
				this.store.or(base::store));
	}

	private boolean countsOtherwise(LimitSetDefinition base) {
		return !this.limits.isEmpty() && this.algorithm.isPresent() && !this.algorithm.equals(base.algorithm);
	}

	boolean hasNoNumbers() {
		return this.limits.isEmpty() && this.burst.isEmpty() && this.options.credit().isEmpty();
	}

	// Plans and overrides have their own numbers, but inherit the algorithm, its options,
	// and the store.
	LimitSetDefinition withoutNumbers() {
		return new LimitSetDefinition(List.of(), OptionalLong.empty(), this.algorithm,
				new LimitOptions(this.options.zone(), OptionalLong.empty(), this.options.lease()), this.store);
	}

}
