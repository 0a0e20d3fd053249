package dev.ratelimit.live;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

import dev.ratelimit.engine.FormerRules;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.RuleSet;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * The documents that other instances applied before a document, while this instance did
 * not follow the source. Immutable.
 *
 * @param former the earlier documents, the oldest first
 * @param sinceNanos the {@link dev.ratelimit.store.Time} since which the document is
 * active on other instances; empty if it becomes active on all instances now
 */
record DocumentHistory(List<Former> former, OptionalLong sinceNanos) {

	/** The history of an instance that has followed the source. */
	static final DocumentHistory NONE = new DocumentHistory(List.of(), OptionalLong.empty());

	private static final Log logger = LogFactory.getLog(DocumentHistory.class);

	DocumentHistory {
		former = List.copyOf(former);
	}

	/**
	 * Return the rules of the documents. Documents that this instance cannot apply are
	 * omitted.
	 * @param base the rules before the first document; empty if they are active here
	 * @param reader reads the rules of a document
	 * @return the rules
	 */
	FormerRules rules(Optional<RuleSet> base, Function<RuleDocument, RuleSet> reader) {
		List<FormerRules.Step> steps = new ArrayList<>();
		// No rules precede them, so their start time is irrelevant.
		base.ifPresent((rules) -> steps.add(new FormerRules.Step(rules, 0)));
		for (Former one : this.former) {
			try {
				steps.add(new FormerRules.Step(reader.apply(one.document()), one.sinceNanos()));
			}
			catch (InvalidRuleException | IllegalArgumentException ex) {
				logger.debug("Version " + one.document().version() + " of the rules was never active here", ex);
			}
		}
		return new FormerRules(steps, this.sinceNanos);
	}

	/**
	 * A document that was not active on this instance.
	 *
	 * @param document the document
	 * @param sinceNanos the {@link dev.ratelimit.store.Time} at which it became active
	 */
	record Former(RuleDocument document, long sinceNanos) {
	}

}
