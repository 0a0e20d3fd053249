package dev.ratelimit.method;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.MissingKey;
import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.engine.RuleUse;
import dev.ratelimit.engine.Subjects;
import dev.ratelimit.rule.KeyPart;
import dev.ratelimit.rule.Rule;

/**
 * A rule made ready for calls, which have a user and nothing else. Immutable.
 *
 * @param compiled the rule
 */
record MethodRule(CompiledRule compiled) {

	/**
	 * What a call charges.
	 * @param user the caller's name, if there is one
	 * @return the use; empty if the rule does not apply, or must be refused
	 */
	Optional<RuleUse> use(Optional<String> user) {
		Rule rule = this.compiled.rule();
		List<String> parts = new ArrayList<>(rule.key().parts().size());
		for (KeyPart part : rule.key().parts()) {
			if (part.kind() == KeyPart.Kind.GLOBAL) {
				parts.add(Subjects.GLOBAL);
			}
			else if (user.isPresent()) {
				parts.add(Subjects.part(KeyPart.Kind.USER.word(), user.get()));
			}
			else if (rule.key().onMissing() == MissingKey.SHARED) {
				parts.add(Subjects.missing(part.kind().word()));
			}
			else {
				return Optional.empty();
			}
		}
		return Optional.of(RuleUse.of(this.compiled, Subjects.join(parts), rule.numbers().cost().units()));
	}

	boolean denies() {
		return this.compiled.rule().key().onMissing() == MissingKey.DENY;
	}

	boolean concurrent() {
		return this.compiled.own().concurrent();
	}

}
