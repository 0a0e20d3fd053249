package dev.ratelimit.rule;

import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;

import dev.ratelimit.RuleMode;
import org.jspecify.annotations.Nullable;

/**
 * Internal: all rules that are active at a time. Immutable.
 */
public final class RuleSet {

	/** No rules. */
	public static final RuleSet EMPTY = new RuleSet(0, new TreeMap<>(), null);

	private final long version;

	/** Sorted, so that a copy needs no comparison of ids. */
	private final SortedMap<String, Rule> rules;

	private final @Nullable RuleSet written;

	/** Computed at its first use. */
	private volatile @Nullable String digest;

	private RuleSet(long version, SortedMap<String, Rule> rules, @Nullable RuleSet written) {
		this.version = version;
		this.rules = Collections.unmodifiableSortedMap(rules);
		this.written = written;
	}

	/**
	 * A set with the version of its source.
	 * @param version the version
	 * @param rules the rules
	 * @return the set
	 */
	public static RuleSet of(long version, Collection<Rule> rules) {
		SortedMap<String, Rule> byId = new TreeMap<>();
		rules.forEach((rule) -> byId.putIfAbsent(rule.id(), rule));
		return new RuleSet(version, byId, null);
	}

	/**
	 * Return the set that follows this one.
	 * @param next the rules
	 * @return the next version
	 */
	public RuleSet next(Collection<Rule> next) {
		return of(this.version + 1, next);
	}

	/**
	 * Return these rules in other modes.
	 * @param modes the modes
	 * @return the set; this one if no mode differs
	 */
	public RuleSet in(RuleModes modes) {
		return in(modes, Rule::in);
	}

	/**
	 * Return these rules in other modes, reusing existing rules.
	 * @param modes the modes
	 * @param switched returns a rule in another mode
	 * @return the set; this one if no mode differs
	 */
	public RuleSet in(RuleModes modes, BiFunction<Rule, RuleMode, Rule> switched) {
		SortedMap<String, Rule> next = new TreeMap<>(this.rules);
		boolean same = true;
		for (Map.Entry<String, Rule> entry : next.entrySet()) {
			Rule rule = entry.getValue();
			RuleMode mode = modes.of(rule);
			if (mode != rule.reaction().mode()) {
				entry.setValue(switched.apply(rule, mode));
				same = false;
			}
		}
		return (same) ? this : new RuleSet(this.version, next, written());
	}

	/**
	 * The version, which identifies sets of one source.
	 * @return the version; grows with every change
	 */
	public long version() {
		return this.version;
	}

	/**
	 * The rules in the modes in which they are active.
	 * @return the rules by id, ids in alphabetical order
	 */
	public Map<String, Rule> rules() {
		return this.rules;
	}

	/**
	 * Return the same rules in their configured modes.
	 * @return the set
	 */
	public RuleSet written() {
		return (this.written != null) ? this.written : this;
	}

	/**
	 * Return a digest of the effects of the rules in their configured modes. Sets with
	 * equal digests have the same effects, regardless of the origin of their rules.
	 * @return 12 hexadecimal digits
	 */
	public String digest() {
		if (this.written != null) {
			return this.written.digest();
		}
		String computed = this.digest;
		if (computed == null) {
			computed = RuleDigest.of(this.rules.values());
			this.digest = computed;
		}
		return computed;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof RuleSet that && this.version == that.version && this.rules.equals(that.rules)
				&& (this.written == null) == (that.written == null) && written().rules.equals(that.written().rules);
	}

	@Override
	public int hashCode() {
		return 31 * Long.hashCode(this.version) + this.rules.hashCode();
	}

	@Override
	public String toString() {
		return "version " + this.version + " of " + this.rules.keySet();
	}

}
