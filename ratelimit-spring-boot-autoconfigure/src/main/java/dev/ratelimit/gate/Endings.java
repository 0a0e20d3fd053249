package dev.ratelimit.gate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Internal: the actions at the end of a request, of all phases. Immutable.
 *
 * @param all the actions, in the order in which they were added
 */
public record Endings(List<Ending> all) {

	/** No time limit. */
	public static final Duration UNLIMITED = Duration.ofDays(10_000);

	/** No actions. */
	public static final Endings NONE = new Endings(List.of());

	public Endings {
		all = List.copyOf(all);
	}

	boolean isEmpty() {
		return this.all.isEmpty();
	}

	Endings and(Ending left) {
		if (!left.pending()) {
			return this;
		}
		if (this.all.isEmpty()) {
			return new Endings(List.of(left));
		}
		List<Ending> more = new ArrayList<>(this.all);
		more.add(left);
		return new Endings(more);
	}

	// The endings that were added after an earlier progress of the same request.
	Endings since(Endings before) {
		return new Endings(this.all.subList(before.all.size(), this.all.size()));
	}

	void free(int status) {
		for (int i = 0; i < this.all.size(); i++) {
			this.all.get(i).free(status);
		}
	}

	void settle(int status) {
		for (int i = 0; i < this.all.size(); i++) {
			this.all.get(i).settle(status);
		}
	}

	/**
	 * Start the stream of a response: free the slots that streams do not hold.
	 */
	public void startStreaming() {
		this.all.forEach(Ending::startStreaming);
	}

	/**
	 * Whether the connection after an upgrade of the request must hold slots.
	 * @return whether a rule limits connections
	 */
	boolean holdsConnections() {
		return completions().anyMatch(Completion::holdsConnections);
	}

	/**
	 * Free the slots that are held by the request, not those held by its connection.
	 * @param status the status of the response as far as it is known
	 */
	public void freeRequest(int status) {
		for (Ending ending : this.all) {
			if (ending instanceof Completion completion) {
				completion.freeRequest();
			}
			else {
				ending.free(status);
			}
		}
	}

	/**
	 * Take over the slots that connections hold.
	 * @return an action that frees the slots; to be run once
	 */
	Runnable handOver() {
		List<Runnable> releases = new ArrayList<>();
		completions().forEach((completion) -> completion.handOver(releases::add));
		List<Runnable> all = List.copyOf(releases);
		return (all.size() == 1) ? all.get(0) : () -> all.forEach(Runnable::run);
	}

	Duration maxConnectionHold() {
		return maxHold(true);
	}

	/**
	 * Return the maximum time that the request may hold its slots.
	 * @return the time after which it ends; {@link #UNLIMITED} if it holds none
	 */
	public Duration maxRequestHold() {
		return maxHold(false);
	}

	private Duration maxHold(boolean connections) {
		Duration maxHold = UNLIMITED;
		for (int i = 0; i < this.all.size(); i++) {
			if (this.all.get(i) instanceof Completion completion) {
				maxHold = completion.maxHold(connections, maxHold);
			}
		}
		return maxHold;
	}

	private Stream<Completion> completions() {
		return this.all.stream().filter(Completion.class::isInstance).map(Completion.class::cast);
	}

}
