package dev.ratelimit.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

import dev.ratelimit.Decision;
import dev.ratelimit.DecisionListener;
import dev.ratelimit.store.Time;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Internal: all listeners and observers of an engine. An exception of an observer does
 * not affect the decision. Immutable.
 */
public final class DecisionObservers {

	private static final Log logger = LogFactory.getLog(DecisionObservers.class);

	private final Observed rejections;

	private final Observed allowed;

	/**
	 * Listeners and observers.
	 * @param listeners receive every decision, before the observers
	 * @param observers also receive the rules and subjects
	 */
	public DecisionObservers(List<DecisionListener> listeners, List<DecisionObserver> observers) {
		List<DecisionObserver> all = new ArrayList<>();
		listeners.forEach((listener) -> all.add(new ListenerObserver(listener)));
		all.addAll(observers);
		this.rejections = Observed.of(all);
		this.allowed = Observed.of(all.stream().filter(DecisionObserver::observesAllowed).toList());
	}

	/**
	 * Whether a decision is observed.
	 * @param allowed whether it allows the request
	 * @return whether any observer receives it
	 */
	boolean observe(boolean allowed) {
		return of(allowed).observers.length > 0;
	}

	/**
	 * Whether the time of a request is observed. If not, the clock is not read, which is
	 * slower than some observers.
	 * @param allowed whether the decision allows the request
	 * @return whether the time must be read
	 */
	boolean observeTime(boolean allowed) {
		return of(allowed).time;
	}

	/**
	 * Whether the rules and subjects of a decision are observed.
	 * @param allowed whether it allows the request
	 * @return whether observers must receive them
	 */
	boolean observeRules(boolean allowed) {
		return of(allowed).rules;
	}

	/**
	 * Publish a decision.
	 * @param rules the rules that were evaluated; empty if the request was rejected
	 * before its subjects were known
	 * @param decision the decision
	 * @param startNanos the time of the request
	 * @param time the clock
	 */
	void decided(List<AppliedRule> rules, Decision decision, long startNanos, Time time) {
		Observed observed = of(decision.allowed());
		long tookNanos = (observed.duration) ? time.nanos() - startNanos : 0;
		for (DecisionObserver observer : observed.observers) {
			try {
				observer.decided(rules, decision, startNanos, tookNanos);
			}
			catch (RuntimeException | Error ex) {
				failed(ex);
			}
		}
	}

	void planUnknown(CompiledRule rule) {
		for (DecisionObserver observer : this.rejections.observers) {
			try {
				observer.planUnknown(rule.rule().id());
			}
			catch (RuntimeException | Error ex) {
				failed(ex);
			}
		}
	}

	private Observed of(boolean allows) {
		return (allows) ? this.allowed : this.rejections;
	}

	private static void failed(Throwable failure) {
		logger.error("A decision listener failed", failure);
	}

	/**
	 * The observers of decisions of one kind, and the values that at least one of them
	 * observes.
	 *
	 * @param observers the observers; an array, because its iteration allocates no memory
	 * @param rules whether one observes the rules
	 * @param time whether one observes the time of the request
	 * @param duration whether one observes the duration
	 */
	private record Observed(DecisionObserver[] observers, boolean rules, boolean time, boolean duration) {

		static Observed of(List<DecisionObserver> observers) {
			boolean duration = any(observers, DecisionObserver::observesDuration);
			return new Observed(observers.toArray(DecisionObserver[]::new),
					any(observers, DecisionObserver::observesRules),
					duration || any(observers, DecisionObserver::observesTime), duration);
		}

		private static boolean any(List<DecisionObserver> observers, Predicate<DecisionObserver> observes) {
			return observers.stream().anyMatch(observes);
		}

	}

	/**
	 * Calls a listener.
	 *
	 * @param listener the listener
	 */
	private record ListenerObserver(DecisionListener listener) implements DecisionObserver {

		@Override
		public void decided(List<AppliedRule> rules, Decision decision, long startNanos, long tookNanos) {
			this.listener.decided(decision, tookNanos);
		}

		@Override
		public void planUnknown(String ruleId) {
			this.listener.planUnknown(ruleId);
		}

		@Override
		public boolean observesRules() {
			return false;
		}

		@Override
		public boolean observesDuration() {
			return true;
		}

	}

}
