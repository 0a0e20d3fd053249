package dev.ratelimit.method;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.engine.Subjects;
import dev.ratelimit.gate.AccessList;
import dev.ratelimit.gate.GateRule;
import dev.ratelimit.gate.RuleMatch;
import dev.ratelimit.gate.RuleObservations;
import dev.ratelimit.gate.SubjectPart;
import dev.ratelimit.rule.KeyPart;

/**
 * A rule of a limited method, which matches each of its calls. Immutable.
 *
 * @param rule the rule, made ready for calls of methods
 */
record MethodRule(GateRule<MethodCall> rule) implements RuleMatch<MethodCall> {

	private static final Optional<String> GLOBAL = Optional.of(Subjects.GLOBAL);

	static MethodRule of(CompiledRule compiled) {
		List<SubjectPart<MethodCall>> key = compiled.rule().key().parts().stream().map(MethodRule::part).toList();
		long cost = compiled.rule().numbers().cost().units();
		return new MethodRule(
				new GateRule<>(compiled, key, (call, tier) -> cost, AccessList.equal(), RuleObservations.NONE));
	}

	// What else a key may name is rejected at startup.
	private static SubjectPart<MethodCall> part(KeyPart part) {
		return (part.kind() == KeyPart.Kind.GLOBAL) ? (call, match) -> GLOBAL
				: (call, match) -> call.user().map((user) -> Subjects.part(KeyPart.Kind.USER.word(), user));
	}

	// 0 if the rule lets no call wait.
	long maxWaitNanos() {
		return this.rule.compiled().rule().reaction().waiting().map((waiting) -> waiting.max().toNanos()).orElse(0L);
	}

	boolean concurrent() {
		return this.rule.compiled().own().concurrent();
	}

}
