package dev.ratelimit.web;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.Decision;
import org.jspecify.annotations.Nullable;

import org.springframework.http.server.PathContainer;

/**
 * How far a request has come. Immutable.
 *
 * @param decision the decisions of all phases so far, as one
 * @param spentNanos how long it has waited for the store so far
 * @param lookup where the request leads, if the phase before has found out
 * @param completion what is left to do when the request is completed, of the last phase
 * @param resumeNanos the {@link System#nanoTime()} until which the request is to be held
 * once all phases have decided, if a limit holds it
 * @param partitions the keys of the partitions by rule, as they are written in header
 * fields; empty if they are not told
 * @since 0.1.0
 */
public record Passage(Decision decision, long spentNanos, @Nullable Lookup lookup, Completion completion,
		OptionalLong resumeNanos, Map<String, String> partitions) {

	/** A request that has met no rule. */
	public static final Passage START = new Passage(Decision.UNMATCHED, 0, null, Completion.NONE, OptionalLong.empty(),
			Map.of());

	/**
	 * A request that is refused by something that it led to.
	 * @param decision the refusal
	 * @return how far it has come
	 */
	public static Passage of(Decision decision) {
		return new Passage(decision, 0, null, Completion.NONE, OptionalLong.empty(), Map.of());
	}

	/**
	 * Whether the request may go on.
	 * @return whether it is allowed so far
	 */
	public boolean allowed() {
		return this.decision.allowed();
	}

	/**
	 * This passage at the entrance of the next phase, which completes what it charges
	 * itself alone.
	 * @return this passage with nothing left to do
	 */
	Passage entering() {
		return (this.completion == Completion.NONE) ? this : new Passage(this.decision, this.spentNanos, this.lookup,
				Completion.NONE, this.resumeNanos, this.partitions);
	}

	/**
	 * The path after the context path. It is parsed unless the phase before has done so.
	 * @param path the raw path of the request
	 * @param contextPath the raw context path, empty if there is none
	 * @return the parsed path
	 */
	public PathContainer path(String path, String contextPath) {
		return (this.lookup != null && this.lookup.isOf(path, contextPath)) ? this.lookup.path()
				: RequestPaths.withinApplication(path, contextPath);
	}

	Passage decided(Decision further, long tookNanos, Completion left) {
		return new Passage(this.decision.then(further), this.spentNanos + tookNanos, this.lookup, left,
				resume(further.delayMillis()), this.partitions);
	}

	Passage partitioned(Map<String, String> further) {
		if (further.isEmpty()) {
			return this;
		}
		Map<String, String> all = new HashMap<>(this.partitions);
		all.putAll(further);
		return new Passage(this.decision, this.spentNanos, this.lookup, this.completion, this.resumeNanos,
				Map.copyOf(all));
	}

	private OptionalLong resume(long delayMillis) {
		if (delayMillis == 0) {
			return this.resumeNanos;
		}
		long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(delayMillis);
		boolean later = this.resumeNanos.isEmpty() || until - this.resumeNanos.getAsLong() > 0;
		return (later) ? OptionalLong.of(until) : this.resumeNanos;
	}

	/**
	 * How long the request is still to be held.
	 * @return nanoseconds; 0 if no limit holds it
	 */
	public long holdNanos() {
		return (this.resumeNanos.isEmpty()) ? 0 : Math.max(0, this.resumeNanos.getAsLong() - System.nanoTime());
	}

	Passage knowing(Lookup found) {
		return new Passage(this.decision, this.spentNanos, found, this.completion, this.resumeNanos, this.partitions);
	}

}
