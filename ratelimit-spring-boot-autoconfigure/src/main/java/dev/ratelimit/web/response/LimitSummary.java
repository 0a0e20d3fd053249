package dev.ratelimit.web.response;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

import dev.ratelimit.Decision;
import dev.ratelimit.Verdict;

/**
 * The state of a client under the policies of one request, as far as it may be disclosed.
 * Immutable.
 *
 * @param allowed whether the request is allowed
 * @param shown the verdicts of a store, except those of rules that only count
 * @param binding the binding policies: if the request is allowed, all shown ones, in the
 * order in which the client exhausts them; otherwise those that reject, the longest wait
 * first
 * @param partitions the keys of the partitions by rule, in the form of header fields;
 * empty if they are not disclosed
 * @param nowEpochMillis the time
 * @param jitterSeconds the seconds that are added to waits
 */
record LimitSummary(boolean allowed, List<Verdict> shown, List<Verdict> binding, Map<String, String> partitions,
		long nowEpochMillis, long jitterSeconds) {

	// Ordered by the number of further requests with the same cost, then by the remaining
	// share: 19 of 20 units precede 68 of 100.
	private static final Comparator<Verdict> MET_FIRST = Comparator.comparingLong(LimitSummary::furtherRequests)
		.thenComparingDouble((verdict) -> verdict.remaining() / (double) verdict.policy().capacity());

	static LimitSummary of(Decision decision, Map<String, String> partitions, long nowEpochMillis, long jitterSeconds) {
		List<Verdict> shown = shown(decision.verdicts());
		return new LimitSummary(decision.allowed(), shown, binding(shown, decision.allowed()), partitions,
				nowEpochMillis, jitterSeconds);
	}

	/**
	 * Return the binding policy with the fewest remaining units. For a rejected request,
	 * return the policy with the longest wait.
	 * @return the verdict, if there is a binding policy
	 */
	Verdict least() {
		Verdict least = this.binding.get(0);
		for (int i = 1; this.allowed && i < this.binding.size(); i++) {
			Verdict other = this.binding.get(i);
			least = (other.remaining() < least.remaining()) ? other : least;
		}
		return least;
	}

	/**
	 * Return the effective window of a binding policy, in which no more than the
	 * remaining units are available.
	 * @param verdict a binding verdict
	 * @return seconds, or 0 if there is none
	 */
	long windowSeconds(Verdict verdict) {
		long millis = (this.allowed) ? verdict.nextUnitMillis() : verdict.retryAfterMillis();
		return (millis > 0 && !verdict.policy().concurrent()) ? Waits.seconds(millis) + jitter(verdict) : 0;
	}

	boolean hasReset(Verdict verdict) {
		return (this.allowed) ? !verdict.policy().concurrent() : !Waits.isNever(verdict);
	}

	/**
	 * Return the time until a binding policy is full. If no units remain or the request
	 * is rejected, return the time until a retry can succeed.
	 * @param verdict a binding verdict
	 * @return seconds, or 0 if it is full
	 */
	long resetSeconds(Verdict verdict) {
		return Waits.wholeSeconds(untilReset(verdict)) + jitter(verdict);
	}

	/**
	 * Return the time of the reset as a time of day.
	 * @param verdict a binding verdict
	 * @return epoch seconds
	 */
	long resetEpochSeconds(Verdict verdict) {
		return Waits.wholeSeconds(this.nowEpochMillis + untilReset(verdict)) + jitter(verdict);
	}

	String partition(Verdict verdict) {
		return (this.partitions.isEmpty()) ? "" : this.partitions.getOrDefault(verdict.policy().ruleId(), "");
	}

	// Jitter separates clients that wait. Allowed requests do not wait.
	private long jitter(Verdict verdict) {
		return (!this.allowed || verdict.remaining() == 0) ? this.jitterSeconds : 0;
	}

	private long untilReset(Verdict verdict) {
		if (!this.allowed && !Waits.isNever(verdict)) {
			return Waits.millis(verdict);
		}
		return (this.allowed && verdict.remaining() == 0) ? verdict.nextUnitMillis() : verdict.resetAfterMillis();
	}

	private static List<Verdict> shown(List<Verdict> all) {
		if (all.size() == 1) {
			return (isShown(all.get(0))) ? all : List.of();
		}
		List<Verdict> shown = new ArrayList<>(all.size());
		for (Verdict verdict : all) {
			if (isShown(verdict)) {
				shown.add(verdict);
			}
		}
		return shown;
	}

	private static boolean isShown(Verdict verdict) {
		return verdict.outcome().measured() && !verdict.policy().shadow();
	}

	// Requests without cost never exhaust the limit.
	private static long furtherRequests(Verdict verdict) {
		return (verdict.cost() == 0) ? Long.MAX_VALUE : verdict.remaining() / verdict.cost();
	}

	// Fast path: most requests have one policy, and are allowed.
	private static List<Verdict> binding(List<Verdict> shown, boolean allowed) {
		if (shown.size() == 1 && shown.get(0).outcome().passes()) {
			return (allowed) ? shown : List.of();
		}
		List<Verdict> binding = new ArrayList<>(shown);
		if (!allowed) {
			binding.removeIf((verdict) -> verdict.outcome().passes());
		}
		binding.sort((allowed) ? MET_FIRST : Waits.LONGEST_FIRST);
		return binding;
	}

}
