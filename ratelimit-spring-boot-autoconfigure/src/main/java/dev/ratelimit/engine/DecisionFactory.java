package dev.ratelimit.engine;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

import dev.ratelimit.Decision;
import dev.ratelimit.Outcome;
import dev.ratelimit.Policy;
import dev.ratelimit.Reason;
import dev.ratelimit.Reservation;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import dev.ratelimit.algorithm.Wait;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.LimitStore;

/**
 * Makes decisions: of verdicts that need no store, and of a result of the store.
 *
 * @param store the store, which corrects what it has charged
 */
record DecisionFactory(LimitStore store) {

	/** The request comes from an address that is rejected whatever rules apply. */
	static final Decision BANNED = new Decision(false, Reason.BANNED, Source.LOCAL,
			List.of(Verdict.unmeasured(Policy.ANY, Outcome.BANNED, 1, Wait.NEVER)));

	/** This instance has no capacity for the request, by the seconds to wait. */
	private static final List<Decision> SHED = LongStream.rangeClosed(1, 5).mapToObj(DecisionFactory::shed).toList();

	private static Decision shed(long seconds) {
		return new Decision(false, Reason.SHED, Source.LOCAL,
				List.of(Verdict.unmeasured(Policy.ANY, Outcome.SHED, 1, TimeUnit.SECONDS.toMillis(seconds))));
	}

	// Not all at once.
	static Decision shed() {
		return SHED.get(ThreadLocalRandom.current().nextInt(SHED.size()));
	}

	static Decision keyMissing(CompiledRule rule) {
		List<Verdict> verdicts = List.of(Verdict.unmeasured(rule.policy(), Outcome.KEY_MISSING,
				rule.rule().numbers().cost().units(), Wait.NEVER));
		return new Decision(false, Reason.KEY_MISSING, Source.LOCAL, verdicts);
	}

	static Decision ofStatic(List<Verdict> verdicts) {
		return new Decision(!StaticVerdicts.reject(verdicts), StaticVerdicts.reason(verdicts), Source.LOCAL, verdicts);
	}

	/**
	 * A decision that the store took part in.
	 * @param applied the rules that apply
	 * @param result the result of the store
	 * @param unasked the verdicts that need no store
	 * @return the decision
	 */
	Decision of(List<AppliedRule> applied, AcquireResult result, List<Verdict> unasked) {
		return new Decision(result.admitted(), reason(result), result.source(),
				StaticVerdicts.join(result.verdicts(), unasked), (result.admitted() && has(result, Outcome.ALLOWED))
						? new StoreReservation(this.store, applied, result) : Reservation.NONE);
	}

	private static Reason reason(AcquireResult result) {
		if (result.source() == Source.FALLBACK && (result.admitted() || has(result, Outcome.FAILED_CLOSED))) {
			return Reason.STORE_UNAVAILABLE;
		}
		if (result.admitted()) {
			return (result.replayed()) ? Reason.REPLAYED : Reason.WITHIN_LIMITS;
		}
		return (neverFits(result)) ? Reason.COST_ABOVE_CAPACITY : Reason.LIMIT_EXCEEDED;
	}

	// Called for each decision: a stream would cost as much as the store in memory.
	private static boolean has(AcquireResult result, Outcome outcome) {
		for (Verdict verdict : result.verdicts()) {
			if (verdict.outcome() == outcome) {
				return true;
			}
		}
		return false;
	}

	private static boolean neverFits(AcquireResult result) {
		for (Verdict verdict : result.verdicts()) {
			if (verdict.outcome() == Outcome.DENIED && verdict.retryAfterMillis() == Wait.NEVER) {
				return true;
			}
		}
		return false;
	}

}
