package dev.ratelimit.gate;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.MissingKeyPolicy;
import dev.ratelimit.engine.CompiledLimits;
import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.engine.Subjects;
import dev.ratelimit.rule.KeyPart;
import dev.ratelimit.rule.RuleKey;
import org.jspecify.annotations.Nullable;

/**
 * Internal: a rule that is compiled for the calls of one front: its key, cost, and access
 * lists are functions of a call. Immutable.
 *
 * @param <C> the calls of the front
 * @param compiled the rule
 * @param key the parts of the key
 * @param cost the cost of a call
 * @param access the clients that the rule does not limit, and the clients that it rejects
 * @param watch the observations of the rule
 * @param flow the flow of a call in the queues of the rule
 * @param missingPrincipalPolicy the policy for calls without a principal, unless the rule
 * sets one
 */
public record GateRule<C extends Call>(CompiledRule compiled, List<SubjectPart<C>> key, CostFunction<C> cost,
		AccessList<C> access, RuleObservations watch, SubjectPart<C> flow, MissingKeyPolicy missingPrincipalPolicy) {

	/**
	 * A rule whose calls wait in one flow, and share one bucket if they lack the key.
	 * @param compiled the rule
	 * @param key the parts of the key
	 * @param cost the cost of a call
	 * @param access the clients that the rule does not limit, and the clients that it
	 * rejects
	 * @param watch the observations of the rule
	 */
	public GateRule(CompiledRule compiled, List<SubjectPart<C>> key, CostFunction<C> cost, AccessList<C> access,
			RuleObservations watch) {
		this(compiled, key, cost, access, watch, (call, route) -> Optional.empty(), MissingKeyPolicy.SHARED);
	}

	/**
	 * The flow of a call in the queues of the rule, and among all calls that wait.
	 * @param call the call
	 * @param route the route by which the rule matched
	 * @param subject the subject that the rule charges
	 * @return the flow: the subject, unless it has several; calls of different flows take
	 * turns
	 */
	public String flow(C call, Route route, String subject) {
		return this.flow.find(call, route).orElse(subject);
	}

	long units(C call, Route route, CompiledLimits limits) {
		return this.cost.cost(call, route, limits);
	}

	/**
	 * The rule's id.
	 * @return the id
	 */
	public String id() {
		return this.compiled.id();
	}

	/**
	 * Return the same rule in another mode.
	 * @param other the rule in that mode
	 * @return the rule
	 */
	public GateRule<C> in(CompiledRule other) {
		return new GateRule<>(other, this.key, this.cost, this.access, this.watch, this.flow,
				this.missingPrincipalPolicy);
	}

	/**
	 * Return the same rule with another cost and without observations.
	 * @param other the cost of a call
	 * @return the rule
	 */
	public GateRule<C> costing(CostFunction<C> other) {
		return new GateRule<>(this.compiled, this.key, other, this.access, RuleObservations.NONE, this.flow,
				this.missingPrincipalPolicy);
	}

	boolean freesRetries() {
		return this.compiled.freesRetries();
	}

	/**
	 * Whether a call without the key is rejected.
	 * @return whether the rule requires its key
	 */
	public boolean requiresKey() {
		return this.compiled.rule().key().writes(MissingKeyPolicy.DENY);
	}

	/**
	 * Return the subject that the rule charges, and count the call.
	 * @param call the call
	 * @param route the route by which the rule matched
	 * @return the subject; null if the rule does not apply, or rejects the call
	 */
	@Nullable String subject(C call, Route route) {
		this.watch.sawMatch();
		return subject(call, route, true);
	}

	/**
	 * Return the subject that the rule would charge. The call is not counted.
	 * @param call the call
	 * @param route the route by which the rule matched
	 * @return the subject; empty if the rule would not apply, or would reject the call
	 */
	public Optional<String> expectedSubject(C call, Route route) {
		return Optional.ofNullable(subject(call, route, false));
	}

	private @Nullable String subject(C call, Route route, boolean counts) {
		if (this.key.size() == 1) {
			Optional<String> only = this.key.get(0).find(call, route);
			return (only.isPresent()) ? only.get() : substitute(call, 0, counts);
		}
		boolean counting = counts;
		List<String> parts = new ArrayList<>(this.key.size());
		for (int i = 0; i < this.key.size(); i++) {
			String part = this.key.get(i).find(call, route).orElse(null);
			if (part == null) {
				part = substitute(call, i, counting);
				// A call that lacks several parts is counted once.
				counting = false;
			}
			if (part == null) {
				return null;
			}
			parts.add(part);
		}
		return Subjects.join(parts);
	}

	private @Nullable String substitute(C call, int index, boolean counts) {
		if (counts) {
			this.watch.sawNoKey();
		}
		RuleKey written = this.compiled.rule().key();
		KeyPart missing = written.parts().get(index);
		return switch (written.onMissing(missing, this.missingPrincipalPolicy)) {
			case SHARED -> Subjects.missing(missing.kind().word());
			case IP -> call.addressPart();
			case SKIP, DENY -> null;
		};
	}

}
