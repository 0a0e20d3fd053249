package dev.ratelimit.live;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

import dev.ratelimit.engine.EditionBeside;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.engine.FormerRules;
import dev.ratelimit.rule.LayeredRules;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleDefinition;
import dev.ratelimit.rule.RuleLayers;
import dev.ratelimit.rule.RuleReader;
import dev.ratelimit.rule.RuleSet;

/**
 * Internal: the rules of the application itself, and the live rules that override them.
 * Both may change; each change is prepared as a whole before it becomes active.
 * Thread-safe.
 */
public final class EffectiveRules {

	private final Editions editions;

	private final RuleReader reader;

	private final RuleWarnings warnings;

	private volatile State state = new State(new RuleLayers(RuleDefinition.EMPTY, List.of()), RuleSet.EMPTY,
			Optional.empty(), List.of());

	/**
	 * Create effective rules without rules yet.
	 * @param editions the editions of the rules
	 * @param reader reads entries of documents
	 * @param warnings receives warnings of rules that work but are probably not intended
	 */
	EffectiveRules(Editions editions, RuleReader reader, RuleWarnings warnings) {
		this.editions = editions;
		this.reader = reader;
		this.warnings = warnings;
	}

	/**
	 * Set the rules of the application itself, before any rules are active.
	 * @param layers the rules
	 * @throws dev.ratelimit.rule.InvalidRuleException if the rules are invalid
	 */
	synchronized void begin(RuleLayers layers) {
		this.state = new State(layers, base(layers), Optional.empty(), List.of());
	}

	private RuleSet base(RuleLayers layers) {
		return RuleSet.of(0, layers.rules(this.warnings::add));
	}

	/** Make the rules of the application itself active. */
	synchronized void adoptBase() {
		install(prepared(this.state.layers(), Optional.empty(), FormerRules.NONE), this.state.base());
	}

	/**
	 * Make the rules of the application itself active, unless a document is active.
	 */
	synchronized void adoptBaseIfNone() {
		if (this.state.live().isEmpty()) {
			adoptBase();
		}
	}

	/**
	 * Change the rules of the application itself.
	 * @param change creates the next layers from the current ones
	 * @return the changes
	 * @throws dev.ratelimit.rule.InvalidRuleException if the rules are invalid; the
	 * previous rules stay active
	 */
	synchronized List<RuleChange> rebase(UnaryOperator<RuleLayers> change) {
		RuleLayers layers = change.apply(this.state.layers());
		RuleSet next = base(layers);
		PreparedRules prepared = prepared(layers, this.state.live(), FormerRules.NONE);
		List<RuleChange> changes = RuleDiff.between(written(), prepared.edition().rules().rules());
		install(prepared, next);
		return changes;
	}

	/**
	 * Prepare a document.
	 * @param source the name of its source
	 * @param document the document
	 * @return the rules, ready to become active
	 * @throws IllegalArgumentException if the document exceeds the bounds
	 * @throws dev.ratelimit.rule.InvalidRuleException if the rules are invalid
	 */
	synchronized PreparedRules prepare(String source, RuleDocument document) {
		return prepare(source, document, DocumentHistory.NONE);
	}

	/**
	 * Prepare a document that may have been active on other instances for some time.
	 * @param source the name of its source
	 * @param document the document
	 * @param history the documents that were active before it
	 * @return the rules, ready to become active
	 */
	synchronized PreparedRules prepare(String source, RuleDocument document, DocumentHistory history) {
		LiveLayer layer = LiveLayer.read(source, document, this.state.live(), this.reader);
		return prepared(this.state.layers(), Optional.of(layer), former(source, history));
	}

	private FormerRules former(String source, DocumentHistory history) {
		if (history == DocumentHistory.NONE) {
			return FormerRules.NONE;
		}
		boolean first = this.editions.current().rules() == RuleSet.EMPTY;
		return this.warnings
			.collect(() -> history.rules((first) ? Optional.of(this.state.base()) : Optional.empty(),
					(document) -> former(source, document)))
			.result();
	}

	private RuleSet former(String source, RuleDocument document) {
		LiveLayer layer = LiveLayer.read(source, document, this.state.live(), this.reader);
		return RuleSet.of(document.version(), rules(this.state.layers(), Optional.of(layer)).rules());
	}

	/**
	 * Prepare a document as {@link #prepare} does, to find out its effects.
	 * @param source the name of its source
	 * @param document the document
	 * @return the rules, and the warnings
	 */
	public synchronized RuleWarnings.Collected<PreparedRules> rehearse(String source, RuleDocument document) {
		return this.warnings.collect(() -> prepare(source, document));
	}

	/**
	 * Prepare a document in addition to the active rules, which stay active.
	 * @param document the document
	 * @param base the version of the active document that it is based on; 0 if there is
	 * none
	 * @param prefix the prefix of the scopes of the buckets of rules that differ
	 * @return its edition; empty if the active document has another version
	 * @throws dev.ratelimit.rule.InvalidRuleException if the rules are invalid
	 */
	public synchronized Optional<EditionBeside> beside(RuleDocument document, long base, String prefix) {
		if (document().map(RuleDocument::version).orElse(0L) != base) {
			return Optional.empty();
		}
		return Optional.of(this.warnings.collect(() -> {
			LiveLayer layer = LiveLayer.read("candidate", document, Optional.empty(), this.reader);
			return this.editions.beside(RuleSet.of(document.version(),
					this.state.layers().rules(layer.written(), this.warnings::add).rules()), prefix);
		}).result());
	}

	/**
	 * Prepare the active rules again, to warm up later changes.
	 */
	void warmUp() {
		State active = this.state;
		this.warnings.collect(() -> {
			this.editions.warmUp(() -> rules(active.layers(), active.live()).rules());
			return active;
		});
	}

	private PreparedRules prepared(RuleLayers layers, Optional<LiveLayer> live, FormerRules former) {
		LayeredRules rules = rules(layers, live);
		return new PreparedRules(layers, live, rules, former, this.editions.prepare(set(live, rules.rules()), former));
	}

	private LayeredRules rules(RuleLayers layers, Optional<LiveLayer> live) {
		return layers.rules(live.map(LiveLayer::written).orElse(Map.of()), this.warnings::add);
	}

	// The version is that of the source; without a source, it is incremented.
	private RuleSet set(Optional<LiveLayer> live, List<Rule> rules) {
		return live.map((layer) -> RuleSet.of(layer.document().version(), rules))
			.orElseGet(() -> this.editions.current().rules().next(rules));
	}

	/**
	 * Make prepared rules active.
	 * @param prepared the rules
	 * @throws dev.ratelimit.rule.InvalidRuleException if other rules have changed since
	 * the preparation, and the combination is invalid
	 */
	synchronized void commit(PreparedRules prepared) {
		boolean fits = prepared.base() == this.state.layers();
		install((fits) ? prepared : prepared(this.state.layers(), prepared.live(), prepared.former()),
				this.state.base());
	}

	private void install(PreparedRules prepared, RuleSet base) {
		PreparedRules ready = prepared;
		while (!this.editions.commit(ready.edition())) {
			ready = prepared(ready.base(), ready.live(), ready.former());
		}
		this.state = new State(ready.base(), base, ready.live(), ready.rules().notApplied());
	}

	/**
	 * Return the active rules in their configured modes.
	 * @return the rules by id
	 */
	public Map<String, Rule> written() {
		return this.editions.current().rules().written().rules();
	}

	/**
	 * The rules of the application itself.
	 * @return the rules
	 */
	public RuleSet base() {
		return this.state.base();
	}

	/**
	 * Return the active document.
	 * @return the document; empty if there is none
	 */
	public Optional<RuleDocument> document() {
		return this.state.live().map(LiveLayer::document);
	}

	/**
	 * Entries of the active document that have no effect here.
	 * @return the entries, with reasons
	 */
	List<LayeredRules.NotApplied> notApplied() {
		return this.state.notApplied();
	}

	/**
	 * A digest of the effective rules.
	 * @return hexadecimal digits
	 */
	String digest() {
		return this.editions.current().rules().digest();
	}

	/**
	 * A digest of the rules of the application itself.
	 * @return hexadecimal digits
	 */
	String baseDigest() {
		return base().digest();
	}

	private record State(RuleLayers layers, RuleSet base, Optional<LiveLayer> live,
			List<LayeredRules.NotApplied> notApplied) {
	}

}
