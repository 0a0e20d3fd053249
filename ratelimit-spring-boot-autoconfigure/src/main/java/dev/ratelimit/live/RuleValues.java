package dev.ratelimit.live;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import dev.ratelimit.ExcessPolicy;
import dev.ratelimit.Limit;
import dev.ratelimit.RuleMode;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.rule.EnumNames;
import dev.ratelimit.rule.Holder;
import dev.ratelimit.rule.LimitSet;
import dev.ratelimit.rule.Reaction;
import dev.ratelimit.rule.Refund;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleNumbers;

/**
 * Internal: a rule as texts by property, to tell what an edit changes.
 */
public final class RuleValues {

	private final Map<String, String> values = new TreeMap<>();

	private RuleValues() {
	}

	/**
	 * The properties of a rule.
	 * @param rule the rule
	 * @return texts by property
	 */
	public static Map<String, String> of(Rule rule) {
		RuleValues texts = new RuleValues();
		texts.addMatch(rule.match());
		texts.values.put("key", String.join(", ", rule.key().parts().stream().map(Object::toString).toList()));
		rule.key().onMissing().ifPresent((policy) -> texts.values.put("on-missing-key", EnumNames.of(policy)));
		texts.addNumbers(rule.numbers());
		texts.addReaction(rule.reaction());
		texts.addList("allow", rule.access().allow());
		texts.addList("deny", rule.access().deny());
		texts.addList("bypass-authorities", rule.access().bypassAuthorities());
		return texts.values;
	}

	private void addMatch(Rule.Match match) {
		addList("paths", match.paths());
		addList("except-paths", match.exceptPaths());
		addList("methods", match.methods());
	}

	private void addNumbers(RuleNumbers numbers) {
		this.values.put("limit", text(numbers.quota()));
		numbers.plans().forEach((plan, limits) -> this.values.put("plans." + plan, text(limits)));
		numbers.overrides().forEach((value, limits) -> this.values.put("overrides[" + value + "]", text(limits)));
		this.values.put("cost", numbers.cost().toString());
		numbers.bucket().ifPresent((bucket) -> this.values.put("bucket", bucket));
		this.values.put("consistency", EnumNames.of(numbers.consistency()));
		if (numbers.reserves()) {
			this.values.put("reserve", numbers.reserve().toString());
		}
	}

	private void addReaction(Reaction reaction) {
		RuleMode mode = reaction.mode();
		this.values.put("mode", EnumNames.of(mode));
		if (!reaction.ramp().isFull()) {
			this.values.put("enforce", reaction.ramp().toString());
		}
		if (reaction.excess().policy() != ExcessPolicy.REJECT) {
			this.values.put("on-excess", EnumNames.of(reaction.excess().policy()));
		}
		reaction.excess().tarpit().ifPresent((tarpit) -> this.values.put("tarpit", tarpit.toString()));
		if (reaction.holding().by() != Holder.REQUEST) {
			this.values.put("hold", EnumNames.of(reaction.holding().by()));
		}
		if (!reaction.holding().isDefault()) {
			this.values.put("max-hold", reaction.holding().longest().toString());
		}
		reaction.excess().ban().ifPresent((ban) -> this.values.put("ban", ban.text()));
		this.values.put("failure", EnumNames.of(reaction.failure()));
		this.values.put("phase", EnumNames.of(reaction.phase()));
		reaction.status().ifPresent((status) -> this.values.put("status", String.valueOf(status)));
		this.values.put("idempotency", String.valueOf(reaction.idempotency()));
		if (!reaction.refund().equals(Refund.NEVER)) {
			this.values.put("refund", reaction.refund().text());
		}
		reaction.waiting().ifPresent((waiting) -> this.values.put("wait", waiting.toString()));
		addList("replaces", reaction.replaces());
	}

	private void addList(String property, List<String> list) {
		if (!list.isEmpty()) {
			this.values.put(property, String.join(", ", list));
		}
	}

	private static String text(LimitSet limits) {
		return (limits.kind() != LimitSet.Kind.LIMITED) ? EnumNames.of(limits.kind())
				: limits.limits().stream().map(RuleValues::text).collect(Collectors.joining(", "));
	}

	private static String text(Limit limit) {
		StringBuilder text = new StringBuilder(limit.toString());
		if (limit.burst() != limit.quantity() && !limit.concurrent()) {
			text.append(" burst ").append(limit.burst());
		}
		if (limit.credit() > 0) {
			text.append(" credit ").append(limit.credit());
		}
		if (!limit.algorithm().equals(Algorithms.DEFAULT) && !limit.concurrent()) {
			text.append(' ').append(limit.algorithm());
		}
		limit.calendar().ifPresent((calendar) -> text.append(' ').append(calendar.zone().getId()));
		if (limit.concurrent()) {
			text.append(" lease ").append(limit.period());
		}
		return text.toString();
	}

}
