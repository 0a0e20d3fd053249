package dev.ratelimit.rule;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.Consistency;
import dev.ratelimit.ExcessPolicy;
import dev.ratelimit.FailurePolicy;
import dev.ratelimit.MissingKeyPolicy;
import dev.ratelimit.Phase;
import dev.ratelimit.RuleMode;
import org.jspecify.annotations.Nullable;

/**
 * Internal: what a rule does, as written: beside which requests it is about, and its
 * numbers. What is left out is not there. Immutable.
 *
 * @param values what is written, by option
 */
public record RuleOptions(Map<Option<?>, Object> values) {

	/** What one request costs, in text form. */
	public static final Option<String> COST = new Option<>("cost");

	/** What answers while the store is unavailable. */
	public static final Option<FailurePolicy> FAILURE = new Option<>("failure");

	/** Whether the rule rejects. */
	public static final Option<RuleMode> MODE = new Option<>("mode");

	/** The share of subjects that the rule rejects if its mode is to enforce. */
	public static final Option<Ramp> ENFORCE = new Option<>("enforce");

	/** What a request without the key gets. */
	public static final Option<MissingKeyPolicy> ON_MISSING_KEY = new Option<>("on-missing-key");

	/** What happens to requests that exceed the limits. */
	public static final Option<ExcessPolicy> ON_EXCESS = new Option<>("on-excess");

	/** How rejections are delayed. */
	public static final Option<Tarpit> TARPIT = new Option<>("tarpit");

	/** When the rule bans or marks clients. */
	public static final Option<BanTerms> BAN = new Option<>("ban");

	/** When the rule is decided. */
	public static final Option<Phase> PHASE = new Option<>("phase");

	/** The status of a rejection. */
	public static final Option<Integer> STATUS = new Option<>("status");

	/** Whether retries are free. */
	public static final Option<Boolean> IDEMPOTENCY = new Option<>("idempotency");

	/** Whose charges are given back when they are completed. */
	public static final Option<Refund> REFUND = new Option<>("refund");

	/** Ids of rules that do not apply where this one does. */
	public static final Option<List<String>> REPLACES = new Option<>("replaces");

	/** The name under which rules share their buckets. */
	public static final Option<String> BUCKET = new Option<>("bucket");

	/** Whether each decision asks the store. */
	public static final Option<Consistency> CONSISTENCY = new Option<>("consistency");

	/** Addresses and networks that the rule does not limit. */
	public static final Option<List<String>> ALLOW = new Option<>("allow");

	/** Addresses and networks that the rule rejects, whatever they have left. */
	public static final Option<List<String>> DENY = new Option<>("deny");

	/** Authorities whose holders the rule does not limit. */
	public static final Option<List<String>> BYPASS_AUTHORITIES = new Option<>("bypass-authorities");

	/** Whether live rules and switches leave the rule alone. */
	public static final Option<Boolean> LOCKED = new Option<>("locked");

	/** What holds a slot. */
	public static final Option<Holder> HOLD = new Option<>("hold");

	/** After which time a slot is freed at the latest. */
	public static final Option<Duration> MAX_HOLD = new Option<>("max-hold");

	/** Slots that only requests of some levels take. */
	public static final Option<Reserve> RESERVE = new Option<>("reserve");

	/** How requests wait that exceed the limits. */
	public static final Option<Waiting> WAIT = new Option<>("wait");

	/** Nothing written. */
	public static final RuleOptions EMPTY = new RuleOptions(Map.of());

	public RuleOptions {
		values = Map.copyOf(values);
	}

	/**
	 * These options with one more.
	 * @param <T> the type of its value
	 * @param option the option
	 * @param value its value; null or an empty list if it is not written
	 * @return the options
	 */
	public <T> RuleOptions with(Option<T> option, @Nullable T value) {
		if (value == null || (value instanceof Collection<?> all && all.isEmpty())) {
			return this;
		}
		Map<Option<?>, Object> next = new HashMap<>(this.values);
		next.put(option, value);
		return new RuleOptions(next);
	}

	/**
	 * What is written for an option.
	 * @param <T> the type of its value
	 * @param option the option
	 * @return its value, if it is written
	 */
	@SuppressWarnings("unchecked")
	public <T> Optional<T> find(Option<T> option) {
		return Optional.ofNullable((T) this.values.get(option));
	}

	/**
	 * These options, and another one's where these have none.
	 * @param base the other options
	 * @return the two together
	 */
	public RuleOptions over(RuleOptions base) {
		Map<Option<?>, Object> both = new HashMap<>(base.values);
		both.putAll(this.values);
		return new RuleOptions(both);
	}

	/**
	 * One thing that may be written.
	 *
	 * @param <T> the type of its value
	 */
	public static final class Option<T> {

		private final String name;

		private Option(String name) {
			this.name = name;
		}

		@Override
		public String toString() {
			return this.name;
		}

	}

}
