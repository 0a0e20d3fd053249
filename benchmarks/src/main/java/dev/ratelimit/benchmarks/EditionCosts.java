package dev.ratelimit.benchmarks;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.RuleMode;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.engine.FormerRules;
import dev.ratelimit.engine.PreparedEdition;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleModes;
import dev.ratelimit.rule.RuleSet;

/**
 * Measures the time to prepare and to switch 1,000 rules on one thread: in a process that
 * does it for the first time, and in a process that has done it often.
 */
final class EditionCosts implements LiveTable.Part {

	private static final int RULES = 1_000;

	private static final int ROUNDS = 60;

	@Override
	public String name() {
		return "1,000 rules, ms to";
	}

	@Override
	public void measure(Session session, LiveTable.Report report) {
		Editions editions = new RulesAtGate().editions();
		List<Rule> rules = rules(0);
		editions.adopt(rules);
		// Applications with live rules do the same at their start.
		editions.warmUp(() -> rules(0));
		int rounds = (session.settings().quick()) ? 2 : ROUNDS;
		for (int round = 1; round <= rounds; round++) {
			boolean first = round == 1;
			// Rounds in which the process becomes warm belong to neither of the two
			// cases.
			boolean warm = !first && (round > rounds / 2 || session.settings().quick());
			LiveTable.Report told = (row, figure) -> {
				if (first || warm) {
					report.add((first) ? row + "; the first time" : row, figure);
				}
			};
			rules = round(editions, rules, round, told);
		}
	}

	private List<Rule> round(Editions editions, List<Rule> rules, int round, LiveTable.Report report) {
		List<Rule> one = new ArrayList<>(rules);
		one.set(RULES / 2, RulesAtGate.rule(RULES / 2, 1_000 + round));
		long start = System.nanoTime();
		editions.prepare(RuleSet.of(round, one), FormerRules.NONE);
		report.add(name() + " prepare 1 changed; at most 20", millis(start));
		List<Rule> others = rules(round);
		start = System.nanoTime();
		PreparedEdition all = editions.prepare(RuleSet.of(round, others), FormerRules.NONE);
		report.add(name() + " prepare all changed; at most 300", millis(start));
		editions.commit(all);
		start = System.nanoTime();
		editions.adopt((RuleModes) (rule) -> RuleMode.SHADOW);
		report.add(name() + " switch all; at most 10", millis(start));
		editions.adopt(RuleModes.WRITTEN);
		return others;
	}

	private static List<Rule> rules(int round) {
		List<Rule> rules = new ArrayList<>();
		for (int i = 0; i < RULES; i++) {
			rules.add(RulesAtGate.rule(i, 100 + round));
		}
		return rules;
	}

	private static double millis(long start) {
		return (System.nanoTime() - start) / 1e6;
	}

}
