package dev.ratelimit.web;

import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.Criticality.Level;
import dev.ratelimit.base.Check;
import dev.ratelimit.base.Finding;
import dev.ratelimit.base.FindingCode;
import dev.ratelimit.engine.Edition;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.rule.EnumNames;
import dev.ratelimit.rule.Rule;

/**
 * Internal: finds slots that are reserved for levels that no request can have.
 *
 * @param gate knows the levels of requests
 * @param editions the rules
 */
public record ReserveCheck(RequestGate gate, Editions editions) implements Check {

	@Override
	public List<Finding> findings() {
		Edition edition = this.editions.current();
		return edition.rules().rules().values().stream().flatMap((rule) -> in(rule, edition)).toList();
	}

	private Stream<Finding> in(Rule rule, Edition edition) {
		GateRules rules = this.gate.rules(edition);
		return rule.numbers()
			.reserve()
			.shares()
			.keySet()
			.stream()
			.filter((level) -> !hasRequests(level, rules))
			.map((level) -> new Finding(FindingCode.UNUSED_RESERVE, rule.id(),
					"No request can have the level '" + EnumNames.of(level)
							+ "' or one above it, so the slots that are reserved for it are never taken."));
	}

	private boolean hasRequests(Level reserved, GateRules rules) {
		Levels levels = this.gate.settings().levels();
		return Stream.of(Level.values())
			.filter((level) -> level.compareTo(reserved) <= 0)
			.anyMatch((level) -> level == Level.NORMAL || rules.annotate(level) || levels.mayBe(level));
	}

}
