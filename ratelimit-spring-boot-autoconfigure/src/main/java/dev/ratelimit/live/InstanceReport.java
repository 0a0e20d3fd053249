package dev.ratelimit.live;

import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

import dev.ratelimit.rule.LayeredRules;

/**
 * Internal: the reports of instances to each other. Thread-safe.
 */
public final class InstanceReport {

	private final String id;

	private final String host;

	private final LiveRules rules;

	private final Optional<InstanceBoard> board;

	private final IntSupplier sharing;

	/**
	 * Create a report.
	 * @param id the random id of the instance
	 * @param host the name of its host
	 * @param rules the live rules of this instance
	 * @param board the board on which all instances report; empty if there is none
	 * @param sharing the number of instances that share the limits, including those that
	 * do not report
	 */
	InstanceReport(String id, String host, LiveRules rules, Optional<InstanceBoard> board, IntSupplier sharing) {
		this.id = id;
		this.host = host;
		this.rules = rules;
		this.board = board;
		this.sharing = sharing;
		board.ifPresent((present) -> rules.addFollower(present::report));
	}

	/** Start to report. */
	void start() {
		Supplier<InstanceState> state = this::state;
		this.board.ifPresent((present) -> present.start(state));
	}

	/** Stop to report. */
	void stop() {
		this.board.ifPresent(InstanceBoard::close);
	}

	private InstanceState state() {
		LiveStatus status = this.rules.status();
		return new InstanceState(this.id, this.host, status.version(), status.digest(), status.base(),
				this.rules.documentDigest(), this.rules.lagMillis(), status.rejected(),
				status.notApplied().stream().map(LayeredRules.NotApplied::id).toList());
	}

	/**
	 * Return all instances.
	 * @return the instances; only this one if there is no board
	 * @throws RuleSourceException if the board cannot be read
	 */
	List<InstanceBoard.Seen> instances() {
		return this.board.map(InstanceBoard::instances).orElseGet(() -> List.of(new InstanceBoard.Seen(state(), 0)));
	}

	/**
	 * Return the number of instances that share the limits and do not report, such as
	 * those without live rules. The number can include an instance that ended a few
	 * seconds ago.
	 * @param instances the instances that report
	 * @return the number of others
	 */
	int unknown(List<InstanceBoard.Seen> instances) {
		return (this.board.isPresent()) ? Math.max(0, this.sharing.getAsInt() - instances.size()) : 0;
	}

	/**
	 * Return the warnings that every edit should show now.
	 * @return sentences
	 */
	public List<String> warnings() {
		if (this.board.isEmpty()) {
			return List.of();
		}
		long builds;
		try {
			builds = instances().stream().map((seen) -> seen.state().base()).distinct().count();
		}
		catch (RuleSourceException ex) {
			return List.of("the other instances could not be read (" + ex.getMessage() + ")");
		}
		return (builds > 1) ? List
			.of(builds + " builds with different rules are running; each applies this edit to its" + " own rules")
				: List.of();
	}

}
