package dev.ratelimit.method;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

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
 * @param rule the rule, compiled for calls of methods
 */
record MethodRule(GateRule<MethodCall> rule) implements RuleMatch<MethodCall> {

	private static final Optional<String> GLOBAL = Optional.of(Subjects.GLOBAL);

	static MethodRule of(BeanMethod method, CompiledRule compiled) {
		List<SubjectPart<MethodCall>> key = compiled.rule()
			.key()
			.parts()
			.stream()
			.map((part) -> part(method, part))
			.toList();
		long cost = compiled.rule().numbers().cost().units();
		return new MethodRule(new GateRule<>(compiled, key, (call, route, limits) -> cost, AccessList.equal(),
				RuleObservations.NONE));
	}

	// Other kinds of keys are rejected at startup.
	private static SubjectPart<MethodCall> part(BeanMethod method, KeyPart part) {
		return switch (part.kind()) {
			case GLOBAL -> (call, match) -> GLOBAL;
			case ARG -> argument(method.parameter(part.argument()));
			default -> (call, match) -> call.user().map((user) -> Subjects.part(KeyPart.Kind.USER, user));
		};
	}

	private static SubjectPart<MethodCall> argument(OptionalInt parameter) {
		if (parameter.isEmpty()) {
			return (call, match) -> Optional.empty();
		}
		int index = parameter.getAsInt();
		return (call, match) -> Optional.ofNullable(call.arguments()[index])
			.map(Object::toString)
			.filter((text) -> !text.isEmpty())
			.map((text) -> Subjects.part(KeyPart.Kind.ARG, text));
	}

	// Without a maximum wait, a leaky bucket holds calls for as long as it requires.
	boolean holds(long delayNanos) {
		return this.rule.compiled()
			.rule()
			.reaction()
			.waiting()
			.filter((waiting) -> delayNanos > waiting.max().toNanos())
			.isEmpty();
	}

	boolean concurrent() {
		return this.rule.compiled().own().concurrent();
	}

}
