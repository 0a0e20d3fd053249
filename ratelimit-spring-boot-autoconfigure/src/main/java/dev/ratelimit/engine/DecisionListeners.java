package dev.ratelimit.engine;

import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.Decision;
import dev.ratelimit.DecisionListener;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Internal: all listeners and followers of an engine. What one of them throws must not
 * turn a decision into an error. Immutable.
 */
public final class DecisionListeners {

	private static final Log logger = LogFactory.getLog(DecisionListeners.class);

	private final List<DecisionListener> listeners;

	/** Arrays, since a loop over an empty one costs nothing. */
	private final DecisionFollower[] followers;

	private final DecisionFollower[] followersOfAllowed;

	private final boolean empty;

	private final boolean time;

	private final boolean timeOfAllowed;

	/**
	 * Listeners and followers.
	 * @param listeners are told of every decision
	 * @param followers are shown the rules and subjects, too
	 */
	public DecisionListeners(List<DecisionListener> listeners, List<DecisionFollower> followers) {
		this.listeners = List.copyOf(listeners);
		this.followers = followers.toArray(DecisionFollower[]::new);
		this.followersOfAllowed = followers.stream()
			.filter(DecisionFollower::followsAllowed)
			.toArray(DecisionFollower[]::new);
		this.empty = listeners.isEmpty() && followers.isEmpty();
		this.time = !listeners.isEmpty() || followTime(this.followers);
		this.timeOfAllowed = !listeners.isEmpty() || followTime(this.followersOfAllowed);
	}

	boolean isEmpty() {
		return this.empty;
	}

	private static boolean followTime(DecisionFollower[] followers) {
		return Stream.of(followers).anyMatch(DecisionFollower::followsTime);
	}

	// Whether anybody wants to know when such decisions were requested: to read the time
	// costs more than some followers do.
	boolean followTime(boolean allowed) {
		return (allowed) ? this.timeOfAllowed : this.time;
	}

	// Whether anybody wants to know how long decisions take: followers find out by
	// themselves, if a decision interests them.
	boolean followDurations() {
		return !this.listeners.isEmpty();
	}

	// Whether anybody wants to see the rules and subjects of such a decision.
	boolean follow(boolean allowed) {
		return followers(allowed).length > 0;
	}

	void decided(Decision decision, long tookNanos) {
		for (DecisionListener listener : this.listeners) {
			try {
				listener.decided(decision, tookNanos);
			}
			catch (RuntimeException ex) {
				failed(ex);
			}
		}
	}

	void show(List<AppliedRule> uses, Decision decision, long startNanos) {
		for (DecisionFollower follower : followers(decision.allowed())) {
			try {
				follower.decided(uses, decision, startNanos);
			}
			catch (RuntimeException ex) {
				failed(ex);
			}
		}
	}

	void planUnknown(CompiledRule rule) {
		for (DecisionListener listener : this.listeners) {
			try {
				listener.planUnknown(rule.rule().id());
			}
			catch (RuntimeException ex) {
				failed(ex);
			}
		}
	}

	private DecisionFollower[] followers(boolean allowed) {
		return (allowed) ? this.followersOfAllowed : this.followers;
	}

	private static void failed(RuntimeException failure) {
		logger.error("A decision listener failed", failure);
	}

}
