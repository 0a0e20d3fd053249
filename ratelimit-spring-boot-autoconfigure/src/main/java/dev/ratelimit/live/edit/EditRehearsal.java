package dev.ratelimit.live.edit;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

import dev.ratelimit.base.RulePermit;
import dev.ratelimit.live.ChangedBase;
import dev.ratelimit.live.EffectiveRules;
import dev.ratelimit.live.PreparedRules;
import dev.ratelimit.live.RuleChange;
import dev.ratelimit.live.RuleDiff;
import dev.ratelimit.live.RuleDocument;
import dev.ratelimit.live.RuleRevision;
import dev.ratelimit.live.RuleText;
import dev.ratelimit.live.RuleWarnings;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.ShownText;

/**
 * Internal: the effects of the next document on this instance. It is prepared as a whole
 * without becoming active. Immutable.
 *
 * @param next the next entries
 * @param changes the resulting changes
 * @param replaced the application's own values that changed entries replace
 * @param warnings warnings of rules that work but are probably not intended
 * @param notApplied ids of entries without effect, with reasons
 * @param ruleIds ids of the application's own rules
 */
public record EditRehearsal(Map<String, Object> next, List<RuleChange> changes,
		Map<String, Map<String, String>> replaced, List<String> warnings, Map<String, String> notApplied,
		Set<String> ruleIds) {

	/**
	 * Require the right to change all entries that differ, before any other information
	 * about them is disclosed.
	 * @param present the current document; empty if there is none
	 * @param next the next entries
	 * @param permit the rules that the user may change
	 */
	public static void requirePermit(Optional<RuleDocument> present, Map<String, Object> next, RulePermit permit) {
		changed(present.map(RuleDocument::rules).orElse(Map.of()), next).forEach(permit::requireRule);
	}

	static EditRehearsal of(EffectiveRules rules, String source, Optional<RuleDocument> present,
			Map<String, Object> next, EditRequest request) {
		Map<String, Object> before = present.map(RuleDocument::rules).orElse(Map.of());
		Set<String> changed = changed(before, next);
		Map<String, Rule> former = former(rules, source, present);
		RuleWarnings.Collected<PreparedRules> prepared = rules.rehearse(source,
				document(present, next, changed, request));
		Map<String, Rule> after = prepared.result().edition().rules().rules();
		List<String> warnings = new ArrayList<>(prepared.warnings());
		warnings.addAll(RuleDiff.warnings(former, after));
		Map<String, String> notApplied = new HashMap<>();
		prepared.result().rules().notApplied().forEach((entry) -> notApplied.put(entry.id(), entry.toString()));
		request.permit().requireEdit(changed, rules.base().rules(), after, notApplied.keySet());
		return new EditRehearsal(next, RuleDiff.between(former, after), replaced(changed, rules.base().rules(), after),
				warnings, notApplied, rules.base().rules().keySet());
	}

	// An invalid document never became active here. The edit may fix it, so the active
	// rules are used.
	private static Map<String, Rule> former(EffectiveRules rules, String source, Optional<RuleDocument> present) {
		try {
			return present.filter((document) -> !rules.document().equals(present))
				.map((document) -> rules.rehearse(source, document).result().edition().rules().rules())
				.orElseGet(rules::written);
		}
		catch (InvalidRuleException | IllegalArgumentException ex) {
			return rules.written();
		}
	}

	/**
	 * Require that the entry of a rule has an effect.
	 * @param rule the rule
	 */
	public void requireApplied(String rule) {
		String reason = this.notApplied.get(rule);
		if (reason != null && !this.ruleIds.contains(rule)) {
			throw new IllegalArgumentException(ShownText.unknownRule(rule)
					+ "; a rule of its own requires a limit, and 'paths' or 'programmatic: true'");
		}
		if (reason != null) {
			throw new IllegalArgumentException(reason);
		}
	}

	private static RuleDocument document(Optional<RuleDocument> present, Map<String, Object> next, Set<String> changed,
			EditRequest request) {
		long version = present.map(RuleDocument::version).orElse(0L) + 1;
		Map<String, RuleRevision> revisions = new HashMap<>(present.map(RuleDocument::revisions).orElse(Map.of()));
		changed.forEach((id) -> revisions.put(id,
				new RuleRevision(version, Instant.EPOCH, request.user(), request.note(), Map.of())));
		return new RuleDocument(version, RuleText.digest(next), next, revisions, OptionalLong.empty());
	}

	private static Set<String> changed(Map<String, Object> before, Map<String, Object> next) {
		Set<String> changed = new TreeSet<>(before.keySet());
		changed.addAll(next.keySet());
		changed.removeIf((id) -> next.containsKey(id) && next.get(id).equals(before.get(id)));
		return changed;
	}

	private static Map<String, Map<String, String>> replaced(Set<String> changed, Map<String, Rule> base,
			Map<String, Rule> after) {
		Map<String, Map<String, String>> replaced = new HashMap<>();
		for (String id : changed) {
			Rule own = base.get(id);
			Rule rule = after.get(id);
			if (own != null && rule != null) {
				replaced.put(id, ChangedBase.replaced(own, rule));
			}
		}
		return replaced;
	}

}
