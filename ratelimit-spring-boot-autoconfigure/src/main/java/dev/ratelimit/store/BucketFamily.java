package dev.ratelimit.store;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.ratelimit.Limit;
import dev.ratelimit.Policy;
import dev.ratelimit.algorithm.Algorithm;
import dev.ratelimit.algorithm.LimitCalculator;

/**
 * The buckets of one limit of one rule, which differ only in their subjects. Created at
 * startup. Immutable.
 * <p>
 * Experimental: may change in any release.
 *
 * @since 0.1.0
 */
public final class BucketFamily {

	/** The store of limits that do not name a store. */
	public static final String DEFAULT_STORE = "default";

	/** The in-memory store of this instance. */
	public static final String LOCAL_STORE = "local";

	/** The maximum number of former limits from which usage is carried over. */
	private static final int MAX_FORMERS = 4;

	private final Policy policy;

	private final String algorithm;

	private final String script;

	private final LimitCalculator calculator;

	private final String scope;

	private final String label;

	private final Algorithm counting;

	private final List<FormerLimit> formers;

	private final Optional<JointKey> joint;

	private final String store;

	private final boolean local;

	private final boolean reported;

	/**
	 * Create the family of a limit that does not share its buckets.
	 * @param policy the limit and its names
	 * @param algorithm the limit's algorithm
	 * @throws IllegalArgumentException if the algorithm cannot count this limit
	 */
	public BucketFamily(Policy policy, Algorithm algorithm) {
		this(policy, algorithm, policy.ruleId());
	}

	/**
	 * Create the family of a limit.
	 * @param policy the limit and its names
	 * @param algorithm the limit's algorithm
	 * @param scope the rule or a name that rules share, and the plan
	 * @throws IllegalArgumentException if the algorithm cannot count this limit
	 */
	public BucketFamily(Policy policy, Algorithm algorithm, String scope) {
		Limit limit = policy.limit().orElseThrow();
		this.counting = algorithm;
		this.formers = List.of();
		this.joint = Optional.empty();
		this.store = DEFAULT_STORE;
		this.local = false;
		this.reported = false;
		this.policy = policy;
		this.algorithm = algorithm.id();
		this.script = algorithm.script();
		this.calculator = algorithm.calculator(limit);
		this.scope = scope;
		this.label = scope + "." + limit.window() + "."
				+ StateDigest.text(this.algorithm + " " + this.calculator.meaning());
	}

	private BucketFamily(BucketFamily same, Policy policy, List<FormerLimit> formers, Optional<JointKey> joint,
			String store, boolean reported) {
		this.counting = same.counting;
		this.formers = formers;
		this.joint = joint;
		this.store = store;
		this.local = store.equals(LOCAL_STORE);
		this.reported = reported;
		this.policy = policy;
		this.algorithm = same.algorithm;
		this.script = same.script;
		this.calculator = same.calculator;
		this.scope = same.scope;
		this.label = same.label;
	}

	/**
	 * Return this family as the replacement of another family. The usage is carried over
	 * if both have the same algorithm and store, and neither limits concurrent requests.
	 * @param before the replaced family
	 * @param change the time when this family replaces the other
	 * @return this family, with the former limits from which usage is carried over
	 */
	public BucketFamily replacing(BucketFamily before, Activation change) {
		if (!this.algorithm.equals(before.algorithm) || this.policy.concurrent() || !this.store.equals(before.store)) {
			return this;
		}
		if (isKeptWith(before)) {
			return with(before.formers);
		}
		long lastsNanos = TimeUnit.MILLISECONDS.toNanos(before.calculator.fillMillis());
		FormerLimit latest = new FormerLimit(before.with(List.of()), change, lastsNanos);
		return with(Stream.concat(Stream.of(latest), before.formers.stream())
			.filter((former) -> !isKeptWith(former.family()))
			.limit(MAX_FORMERS)
			.toList());
	}

	// Whether both families use the same stored states.
	private boolean isKeptWith(BucketFamily other) {
		return this.label.equals(other.label) && this.joint.isPresent() == other.joint.isPresent();
	}

	/**
	 * Return the family of one instance's share of this limit, at least one unit. If the
	 * algorithm cannot count the share, its burst is halved until it can.
	 * @param instances the number of instances that share the limit
	 * @return the share
	 */
	public BucketFamily share(int instances) {
		Limit share = LimitShare.ofInstance(this.policy.limit().orElseThrow(), instances);
		while (share.burst() > 1 && !counts(share)) {
			share = LimitShare.withHalfBurst(share);
		}
		return under(share);
	}

	/**
	 * Return the same family with another limit for the same algorithm.
	 * @param other the limit
	 * @return the family
	 */
	public BucketFamily under(Limit other) {
		Policy lowered = new Policy(this.policy.name(), this.policy.ruleId(), other, this.policy.unit(),
				this.policy.shadow());
		return new BucketFamily(lowered, this.counting, this.scope).in(this.store, this.reported);
	}

	/**
	 * Return the same buckets for a rule in shadow mode.
	 * @return the family, with the label of this one
	 */
	public BucketFamily watching() {
		Policy shadow = new Policy(this.policy.name(), this.policy.ruleId(), this.policy.limit(),
				this.policy.windowSeconds(), this.policy.unit(), true);
		return new BucketFamily(this, shadow, this.formers, this.joint, this.store, this.reported);
	}

	private boolean counts(Limit limit) {
		try {
			this.counting.calculator(limit);
			return true;
		}
		catch (IllegalArgumentException ex) {
			return false;
		}
	}

	private BucketFamily with(List<FormerLimit> other) {
		return new BucketFamily(this, this.policy, other, this.joint, this.store, this.reported);
	}

	BucketFamily in(JointKey key) {
		return new BucketFamily(this, this.policy, this.formers, Optional.of(key), this.store, this.reported);
	}

	/**
	 * Return this family in another store.
	 * @param name the name of the store
	 * @return the family with all buckets in that store
	 */
	public BucketFamily in(String name) {
		return (name.equals(this.store)) ? this
				: new BucketFamily(this, this.policy, this.formers, this.joint, name, this.reported);
	}

	private BucketFamily in(String name, boolean reports) {
		return new BucketFamily(this, this.policy, this.formers, this.joint, name, reports);
	}

	/**
	 * Return this family with charges that are reported to other regions.
	 * @return the family
	 */
	public BucketFamily reported() {
		return in(this.store, true);
	}

	/**
	 * Whether charges are reported to other regions, which count the same limit.
	 * @return whether the limit is shared between regions
	 */
	public boolean isReported() {
		return this.reported;
	}

	/**
	 * The name of the store that all buckets of this family are in.
	 * @return the name
	 */
	public String store() {
		return this.store;
	}

	/**
	 * Whether all buckets of this family are in the memory of this instance, although the
	 * default store may be elsewhere.
	 * @return whether the store is {@value #LOCAL_STORE}
	 */
	public boolean isLocal() {
		return this.local;
	}

	/**
	 * Return the limits that this limit has replaced.
	 * @return the former limits, the latest first; empty if the limit has not changed
	 */
	public List<FormerLimit> formers() {
		return this.formers;
	}

	/**
	 * Whether the usage of a former limit may still matter.
	 * @param nowNanos the {@link Time}
	 * @return whether states of former buckets may have to be moved
	 */
	public boolean hasUsedFormers(long nowNanos) {
		for (FormerLimit former : this.formers) {
			if (former.matters(nowNanos)) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Return the key in which a store may keep the states together with those of the
	 * rule's other limits.
	 * @return the joint key, if the buckets have no keys of their own
	 */
	public Optional<JointKey> joint() {
		return this.joint;
	}

	/**
	 * The limit, as clients see it.
	 * @return the policy
	 */
	public Policy policy() {
		return this.policy;
	}

	/**
	 * The id of the algorithm.
	 * @return the id
	 */
	public String algorithm() {
		return this.algorithm;
	}

	/**
	 * Return the name of the Lua implementation of the algorithm.
	 * @return the name
	 */
	public String script() {
		return this.script;
	}

	/**
	 * Whether units refill evenly, one after the other.
	 * @return false if units refill at the end of a window, one window after their
	 * charge, or on release
	 */
	public boolean refillsEvenly() {
		return this.counting.refillsEvenly();
	}

	/**
	 * The calculator of the limit.
	 * @return the calculator
	 */
	public LimitCalculator calculator() {
		return this.calculator;
	}

	/**
	 * The scope of the buckets: the rule or a name that rules share, and the plan. All
	 * limits of a rule have the same.
	 * @return the scope
	 */
	public String scope() {
		return this.scope;
	}

	/**
	 * The name of the family: scope, window, and a digest of the properties that
	 * determine the meaning of a state. Families with equal labels can read each other's
	 * states.
	 * @return the label
	 */
	public String label() {
		return this.label;
	}

	// The digest includes the window, because limits with the same rate and different
	// windows are different limits.
	int digest() {
		return StateDigest.number(this.label.substring(this.scope.length()));
	}

	/**
	 * Digests of the properties that determine the meaning of a state.
	 */
	private static final class StateDigest {

		/**
		 * Changes with the format of the states, so that several versions can share a
		 * store.
		 */
		private static final String FORMAT = "1";

		private static final int SUFFIX_BYTES = 4;

		private StateDigest() {
		}

		static String text(String meaning) {
			return HexFormat.of().formatHex(sha256(FORMAT + " " + meaning), 0, SUFFIX_BYTES);
		}

		static int number(String text) {
			byte[] hash = sha256(text);
			return (hash[0] & 0xff) << 16 | (hash[1] & 0xff) << 8 | hash[2] & 0xff;
		}

		private static byte[] sha256(String text) {
			try {
				return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
			}
			catch (NoSuchAlgorithmException ex) {
				throw new IllegalStateException("every Java platform has SHA-256", ex);
			}
		}

	}

}
