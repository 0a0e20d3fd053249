package dev.ratelimit.rule;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Internal: the numbers of a rule or of a plan as written. Immutable.
 *
 * @param limits the limits
 * @param burst the burst of the only limit
 * @param algorithm the algorithm of limits that name none
 * @param options what only some algorithms know, for limits that do not say it themselves
 * @param store the name of the store that counts, if written
 */
public record LimitSetDefinition(List<LimitDefinition> limits, OptionalLong burst, Optional<String> algorithm,
		LimitOptions options, Optional<String> store) {

	/** Nothing written. */
	public static final LimitSetDefinition EMPTY = new LimitSetDefinition(List.of(), OptionalLong.empty(),
			Optional.empty());

	/**
	 * Numbers that are counted wherever those are that they inherit from.
	 * @param limits the limits
	 * @param burst the burst of the only limit
	 * @param algorithm the algorithm of limits that name none
	 * @param options what only some algorithms know
	 */
	public LimitSetDefinition(List<LimitDefinition> limits, OptionalLong burst, Optional<String> algorithm,
			LimitOptions options) {
		this(limits, burst, algorithm, options, Optional.empty());
	}

	/**
	 * Numbers without options.
	 * @param limits the limits
	 * @param burst the burst of the only limit
	 * @param algorithm the algorithm of limits that name none
	 */
	public LimitSetDefinition(List<LimitDefinition> limits, OptionalLong burst, Optional<String> algorithm) {
		this(limits, burst, algorithm, LimitOptions.NONE);
	}

	/**
	 * A set of one limit, whose text may stand for several properties.
	 * @param location where the limit is written, for messages
	 * @param text the text of the limit
	 * @param burst the burst beside it
	 * @param algorithm the algorithm beside it
	 * @param options the options beside it
	 * @return the set
	 * @throws InvalidRuleException if the text and what is beside it differ
	 */
	public static LimitSetDefinition of(String location, String text, OptionalLong burst, Optional<String> algorithm,
			LimitOptions options) {
		LimitDefinition whole = LimitDefinition.of(text).with(location, burst, algorithm, options);
		LimitDefinition number = new LimitDefinition(whole.limit(), OptionalLong.empty(), Optional.empty());
		return new LimitSetDefinition(List.of(number), whole.burst(), whole.algorithm(), whole.options());
	}

	/**
	 * These numbers, counted by a store.
	 * @param name the name of the store, if written
	 * @return the numbers
	 */
	public LimitSetDefinition in(Optional<String> name) {
		return new LimitSetDefinition(this.limits, this.burst, this.algorithm, this.options, name);
	}

	/**
	 * These numbers, and another one's where there are none. A burst and a credit belong
	 * to the limits beside them, so they go with them. How to count is inherited: the
	 * algorithm, what only that algorithm supports, and the store.
	 * @param base the other numbers
	 * @return the two together
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

	// Plans and overrides have numbers of their own, and inherit how to count.
	LimitSetDefinition withoutNumbers() {
		return new LimitSetDefinition(List.of(), OptionalLong.empty(), this.algorithm,
				new LimitOptions(this.options.zone(), OptionalLong.empty(), this.options.lease()), this.store);
	}

}
