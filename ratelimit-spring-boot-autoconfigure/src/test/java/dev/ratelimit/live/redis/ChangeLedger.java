package dev.ratelimit.live.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

import dev.ratelimit.live.redis.ScheduledChange.Outcome;

/**
 * Records the changes of a schedule, and verifies that the final state can result from
 * them: each register has the value of a change that no later one replaced. Thread-safe.
 */
final class ChangeLedger {

	private final List<ScheduledChange> changes = new CopyOnWriteArrayList<>();

	private final List<Loss> losses = new CopyOnWriteArrayList<>();

	private final List<Restart> restarts = new CopyOnWriteArrayList<>();

	private final long slackNanos;

	private final boolean lateChanges;

	/**
	 * Create an empty ledger.
	 * @param slack the maximum difference between clocks
	 * @param lateChanges whether a change with an unknown outcome can still be made
	 * later, because Redis does not have the deadline of the user
	 */
	ChangeLedger(Duration slack, boolean lateChanges) {
		this.slackNanos = slack.toNanos();
		this.lateChanges = lateChanges;
	}

	void add(ScheduledChange change) {
		this.changes.add(change);
	}

	/** Record that Redis has lost all changes since a copy was made. */
	void lost(long copiedNanos, long begunNanos, long endedNanos) {
		this.losses.add(new Loss(copiedNanos, begunNanos, endedNanos));
	}

	/** Record that an instance has lost its state. */
	void restarted(int instance) {
		this.restarts.add(new Restart(instance, System.nanoTime()));
	}

	long count(Outcome outcome) {
		return this.changes.stream().filter((change) -> change.outcome() == outcome).count();
	}

	/**
	 * Return the registers with impossible values.
	 * @param values the values of the registers
	 * @return a sentence for each wrong register
	 */
	List<String> wrong(Map<String, String> values) {
		Set<String> registers = new TreeSet<>(values.keySet());
		this.changes.forEach((change) -> registers.add(change.register()));
		List<String> wrong = new ArrayList<>();
		registers.forEach((register) -> {
			String value = values.getOrDefault(register, "");
			wrong(register, value)
				.ifPresent((reason) -> wrong.add("%s is '%s': %s".formatted(register, value, reason)));
		});
		return wrong;
	}

	private Optional<String> wrong(String register, String value) {
		List<ScheduledChange> all = this.changes.stream()
			.filter((change) -> change.register().equals(register))
			.toList();
		List<ScheduledChange> possible = new ArrayList<>(
				all.stream().filter((change) -> change.value().equals(value) && change.isInForceOrUnknown()).toList());
		if (value.isEmpty()) {
			possible.add(new ScheduledChange(-1, register, "", Outcome.DONE, Long.MIN_VALUE / 2, Long.MIN_VALUE / 2));
		}
		boolean right = possible.stream()
			.anyMatch((candidate) -> all.stream().noneMatch((change) -> replaces(change, candidate)));
		return (right) ? Optional.empty()
				: Optional.of(all.stream().map(this::text).collect(Collectors.joining("\n  ", "\n  ", "")));
	}

	private boolean replaces(ScheduledChange later, ScheduledChange earlier) {
		boolean certain = later.outcome() == Outcome.DONE || later.outcome() == Outcome.HERE;
		boolean endless = earlier.outcome() == Outcome.UNKNOWN && this.lateChanges;
		boolean byClock = later.outcome() == Outcome.HERE || earlier.outcome() != Outcome.DONE || canBeLost(later)
				|| canBeLost(earlier);
		long slack = (byClock) ? this.slackNanos : 0;
		return certain && !endless && !isForgotten(later) && later.begunNanos() > earlier.endedNanos() + slack;
	}

	private boolean canBeLost(ScheduledChange change) {
		return this.losses.stream().anyMatch((loss) -> loss.includes(change));
	}

	// A change is lost if Redis lost it and its instance was restarted. A document that
	// Redis lost is replaced by a document that was written later.
	private boolean isForgotten(ScheduledChange change) {
		boolean unsent = change.outcome() == Outcome.HERE
				&& this.restarts.stream().anyMatch((restart) -> restart.forgets(change));
		return unsent || this.losses.stream()
			.filter((loss) -> loss.includes(change))
			.anyMatch((loss) -> this.restarts.stream().anyMatch((restart) -> restart.forgets(change))
					|| change.isOfDocument() && this.changes.stream()
						.anyMatch((other) -> other.isOfDocument() && other.isInForceOrUnknown()
								&& other.endedNanos() > loss.begunNanos()));
	}

	private String text(ScheduledChange change) {
		return "%,d to %,d ms: %s '%s' on instance %d%s".formatted(millis(change.begunNanos()),
				millis(change.endedNanos()), change.outcome(), change.value(), change.instance(),
				(canBeLost(change)) ? ", perhaps lost" : "");
	}

	private long millis(long nanos) {
		return (nanos - this.changes.get(0).begunNanos()) / 1_000_000;
	}

	private record Loss(long copiedNanos, long begunNanos, long endedNanos) {

		boolean includes(ScheduledChange change) {
			return change.endedNanos() >= this.copiedNanos && change.begunNanos() <= this.endedNanos;
		}

	}

	private record Restart(int instance, long nanos) {

		boolean forgets(ScheduledChange change) {
			return this.instance == change.instance() && this.nanos > change.begunNanos();
		}

	}

}
