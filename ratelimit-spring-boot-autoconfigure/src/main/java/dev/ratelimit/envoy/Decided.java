package dev.ratelimit.envoy;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

import dev.ratelimit.Decision;
import dev.ratelimit.Outcome;
import dev.ratelimit.Reason;
import dev.ratelimit.Verdict;
import dev.ratelimit.engine.CompiledLimits;
import dev.ratelimit.gate.RequestProgress;

/**
 * A decided call of Envoy.
 *
 * @param matches the rules that applied
 * @param progress the progress of the call, which is decided
 * @param verdicts the verdicts of each match
 */
record Decided(DescriptorMatches matches, RequestProgress progress, List<List<Verdict>> verdicts) {

	/** The outcomes of decisions without a call of the store. */
	private static final Set<Outcome> STATIC = EnumSet.of(Outcome.UNLIMITED, Outcome.BLOCKED, Outcome.BANNED,
			Outcome.PAUSED);

	/**
	 * Assign the verdicts of a decision to the matches.
	 * @param matches the rules that applied
	 * @param progress the progress of the call
	 * @param sanctioned whether the subject of a match is banned or paused
	 * @return the decided call
	 */
	static Decided of(DescriptorMatches matches, RequestProgress progress, Predicate<DescriptorMatch> sanctioned) {
		List<Verdict> left = new ArrayList<>(progress.decision().verdicts());
		List<List<Verdict>> verdicts = new ArrayList<>(matches.all().size());
		matches.all().forEach((match) -> verdicts.add(take(match, left, sanctioned)));
		return new Decided(matches, progress, verdicts);
	}

	// The verdicts are in the order of the matches, except for those without a call of
	// the store, which are at the end.
	private static List<Verdict> take(DescriptorMatch match, List<Verdict> left,
			Predicate<DescriptorMatch> sanctioned) {
		CompiledLimits limits = match.rule().compiled().limits(match.subject().orElseThrow());
		if (limits.kind() == CompiledLimits.Kind.LIMITED) {
			List<Verdict> counted = take(match, left, true, limits.families().size());
			if (!counted.isEmpty() || !sanctioned.test(match)) {
				return counted;
			}
		}
		return take(match, left, false, 1);
	}

	private static List<Verdict> take(DescriptorMatch match, List<Verdict> left, boolean counted, int count) {
		List<Verdict> taken = new ArrayList<>(count);
		for (int i = 0; i < left.size() && taken.size() < count;) {
			Verdict verdict = left.get(i);
			boolean own = verdict.policy().ruleId().equals(match.rule().id()) && isCounted(verdict) == counted;
			if (own) {
				taken.add(left.remove(i));
			}
			else {
				i++;
			}
		}
		return taken;
	}

	private static boolean isCounted(Verdict verdict) {
		return !STATIC.contains(verdict.outcome()) && verdict.policy().limit().isPresent();
	}

	boolean allowed() {
		return this.progress.allowed();
	}

	/**
	 * Return the verdicts of a descriptor.
	 * @param descriptor the index of the descriptor
	 * @return its verdicts; empty if no rule applied
	 */
	List<Verdict> ofDescriptor(int descriptor) {
		int match = this.matches.byDescriptor()[descriptor];
		return (match < 0) ? List.of() : this.verdicts.get(match);
	}

	/**
	 * Return the decision, rejected if a descriptor without a charge has an exhausted
	 * limit.
	 * @return the decision on the call
	 */
	Decided withoutExhausted() {
		List<Verdict> all = new ArrayList<>();
		List<List<Verdict>> changed = new ArrayList<>(this.verdicts.size());
		for (int i = 0; i < this.verdicts.size(); i++) {
			boolean free = this.matches.all().get(i).units() == 0;
			changed.add(this.verdicts.get(i)
				.stream()
				.map((verdict) -> (free && isExhausted(verdict)) ? rejected(verdict) : verdict)
				.toList());
			all.addAll(changed.get(i));
		}
		if (changed.equals(this.verdicts)) {
			return this;
		}
		Decision rejected = new Decision(false, Reason.LIMIT_EXCEEDED, this.progress.decision().source(), all);
		return new Decided(this.matches, RequestProgress.of(rejected), changed);
	}

	private static boolean isExhausted(Verdict verdict) {
		return verdict.outcome() == Outcome.ALLOWED && verdict.remaining() == 0 && !verdict.policy().shadow();
	}

	private static Verdict rejected(Verdict exhausted) {
		return new Verdict(exhausted.policy(), Outcome.REJECTED, 1, 0, exhausted.nextUnitMillis(),
				exhausted.resetAfterMillis(), exhausted.nextUnitMillis());
	}

}
