package dev.ratelimit.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.ratelimit.BanKind;
import dev.ratelimit.Criticality.Level;
import dev.ratelimit.Limit;
import dev.ratelimit.algorithm.Wait;
import dev.ratelimit.rule.LimitSet;
import dev.ratelimit.rule.Reserve;
import dev.ratelimit.store.Activation;
import dev.ratelimit.store.BucketFamily;
import org.jspecify.annotations.Nullable;

/**
 * Internal: the limits of a rule, or of one of its plans, compiled for decisions.
 * Immutable.
 *
 * @param kind whether there are limits at all
 * @param families the buckets of each limit
 * @param waitMillis the wait that rejections report
 * @param reserve slots that only requests of some levels can take
 * @param levels the same buckets for each level below the highest; empty if all levels
 * have the same capacity
 */
public record CompiledLimits(Kind kind, List<BucketFamily> families, long waitMillis, Reserve reserve,
		List<CompiledLimits> levels) {

	/** The numbers of clients that a rule does not limit. */
	static final CompiledLimits BYPASSED = new CompiledLimits(Kind.BYPASSED, List.of());

	/** The numbers of clients that a rule rejects. */
	static final CompiledLimits DENY_LISTED = new CompiledLimits(Kind.DENY_LISTED, List.of());

	private CompiledLimits(Kind kind, List<BucketFamily> families) {
		this(kind, families, Reserve.NONE);
	}

	private CompiledLimits(Kind kind, List<BucketFamily> families, Reserve reserve) {
		this(kind, families, Wait.NEVER, reserve, levels(kind, families, reserve));
	}

	static CompiledLimits denying(BanKind kind, long waitMillis) {
		return new CompiledLimits((kind == BanKind.PAUSE) ? Kind.PAUSED : Kind.BANNED, List.of(), waitMillis,
				Reserve.NONE, List.of());
	}

	static CompiledLimits of(LimitSet quota, List<BucketFamily> families, Reserve reserve) {
		return new CompiledLimits(switch (quota.kind()) {
			case LIMITED -> Kind.LIMITED;
			case UNLIMITED -> Kind.UNLIMITED;
			case BLOCKED -> Kind.BLOCKED;
		}, List.copyOf(families), reserve);
	}

	private static List<CompiledLimits> levels(Kind kind, List<BucketFamily> families, Reserve reserve) {
		return (reserve.isNone() || families.isEmpty()) ? List.of()
				: Stream.of(Level.HIGH, Level.NORMAL, Level.LOW)
					.map((level) -> new CompiledLimits(kind,
							families.stream().map((family) -> of(family, level, reserve)).toList()))
					.toList();
	}

	private static BucketFamily of(BucketFamily family, Level level, Reserve reserve) {
		Limit limit = family.policy().limit().orElseThrow();
		long slots = (limit.concurrent()) ? reserve.capacity(level, limit.quantity()) : limit.quantity();
		return (slots == limit.quantity()) ? family : family
			.under(new Limit(limit.algorithm(), slots, limit.period(), slots, 0, Optional.empty(), limit.concurrent()));
	}

	/**
	 * Return the limits for requests of a level, on the same buckets.
	 * @param level the level
	 * @return the limits
	 */
	public CompiledLimits of(Level level) {
		return (this.levels.isEmpty() || level == Level.CRITICAL) ? this : this.levels.get(level.ordinal() - 1);
	}

	/**
	 * Return the limits for requests without a level.
	 * @return the limits
	 */
	public CompiledLimits ofNormal() {
		return of(Level.NORMAL);
	}

	/**
	 * Whether other limits are these limits for a level.
	 * @param limits the limits that apply to a request
	 * @return whether they belong to the same plan
	 */
	public boolean include(CompiledLimits limits) {
		return this == limits || this.levels.stream().anyMatch((level) -> level == limits);
	}

	/**
	 * Return the limits of a changed rule for the level of a request.
	 * @param applied the limits that apply to the request: these limits, or those for a
	 * level
	 * @param changed the limits of the changed rule
	 * @return the limits for the same level; if the level is unknown, those of a request
	 * without a level
	 */
	public CompiledLimits ofSameLevel(CompiledLimits applied, CompiledLimits changed) {
		for (int i = 0; i < this.levels.size() && !changed.levels.isEmpty(); i++) {
			if (this.levels.get(i) == applied) {
				return changed.levels.get(i);
			}
		}
		return (applied == this && !this.levels.isEmpty()) ? changed : changed.ofNormal();
	}

	// A limit replaces the former limit with the same window. If both sets have only one
	// limit, it replaces the other.
	CompiledLimits replacing(CompiledLimits before, Activation change) {
		List<BucketFamily> following = new ArrayList<>();
		for (BucketFamily family : this.families) {
			BucketFamily former = before.counterpart(family, this.families.size());
			following.add((former != null) ? family.replacing(former, change) : family);
		}
		return new CompiledLimits(this.kind, List.copyOf(following), this.reserve);
	}

	/**
	 * Return the same buckets for a rule that only counts.
	 * @return the limits
	 */
	CompiledLimits watching() {
		return new CompiledLimits(this.kind, this.families.stream().map(BucketFamily::watching).toList(), this.reserve);
	}

	private @Nullable BucketFamily counterpart(BucketFamily family, int count) {
		if (count == 1 && this.families.size() == 1) {
			return this.families.get(0);
		}
		String window = window(family);
		return this.families.stream().filter((one) -> window(one).equals(window)).findFirst().orElse(null);
	}

	private static String window(BucketFamily family) {
		return family.policy().limit().orElseThrow().window();
	}

	/**
	 * Whether a slot is held during a request.
	 * @return whether a limit counts requests at a time
	 */
	public boolean concurrent() {
		for (BucketFamily family : this.families) {
			if (family.policy().concurrent()) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Whether a status of the response can refund units: those of a limit of concurrent
	 * requests are freed at the end of the request instead.
	 * @return whether a limit counts something else than requests at a time
	 */
	public boolean refundable() {
		for (BucketFamily family : this.families) {
			if (!family.policy().concurrent()) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Return the maximum cost that fits all limits.
	 * @return the smallest capacity; {@link Long#MAX_VALUE} if there is no limit
	 */
	public long capacity() {
		return this.families.stream()
			.mapToLong((family) -> family.calculator().capacity())
			.min()
			.orElse(Long.MAX_VALUE);
	}

	/**
	 * The kinds of limits.
	 */
	public enum Kind {

		/** There are limits. */
		LIMITED,
		/** All requests are allowed, and are counted only in metrics. */
		UNLIMITED,
		/** No request is allowed. */
		BLOCKED,
		/** The client bypasses the rule. */
		BYPASSED,
		/** The client is on a deny list. */
		DENY_LISTED,
		/** The client is banned. */
		BANNED,
		/** The rule rejects the client, because the rule is paused for it. */
		PAUSED

	}

}
