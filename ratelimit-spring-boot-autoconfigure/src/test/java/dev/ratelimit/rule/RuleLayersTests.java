package dev.ratelimit.rule;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import dev.ratelimit.FailurePolicy;
import dev.ratelimit.Limit;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

class RuleLayersTests {

	private static final Consumer<String> IGNORED = (warning) -> {
	};

	private static final LiveChange CHANGE = LiveChange.of("redis", 13);

	private final RuleLayers base = new RuleLayers(Definitions.failure(FailurePolicy.CLOSED),
			List.of(layer(Origin.Kind.ANNOTATION, "search", Definitions.limits("1/s")),
					layer(Origin.Kind.PROPERTY, "search", Definitions.limits("2/s"))));

	@Test
	void eachLayerOverridesThoseBefore() {
		assertThat(this.base.rules(IGNORED)).singleElement().satisfies((rule) -> {
			assertThat(rule.limits()).extracting(Limit::toString).containsExactly("2/s");
			assertThat(rule.reaction().failure()).isEqualTo(FailurePolicy.CLOSED);
			assertThat(rule.origin().layers()).extracting(Origin.Layer::kind)
				.containsExactly(Origin.Kind.ANNOTATION, Origin.Kind.PROPERTY);
		});
		Rule rule = live("search", Definitions.limits("3/s")).rules().get(0);
		assertThat(rule.limits()).extracting(Limit::toString).containsExactly("3/s");
		assertThat(rule.origin().top().change()).contains(CHANGE);
	}

	@Test
	void messagesNameTheLiveEntry() {
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> live("search", Definitions.limits("3/fortnight")))
			.returns("redis 13: rules.search.limit", InvalidRuleException::location);
		assertThat(live("search", Definitions.limits("3/s")).rules().get(0).location())
			.isEqualTo("redis 13: rules.search");
		assertThat(this.base.rules(IGNORED).get(0).location()).isEqualTo("ratelimit.rules.search");
	}

	@Test
	void aWholeLiveRuleNeedsNoOtherLayer() {
		RuleDefinition whole = new RuleDefinition(new Rule.Match(List.of("/new"), List.of(), List.of()), List.of(),
				Definitions.limits("5/s").quota(), Map.of(), RuleOptions.EMPTY);
		LayeredRules rules = live("new", whole);
		assertThat(rules.notApplied()).isEmpty();
		assertThat(rules.rules()).extracting(Rule::id).containsExactly("new", "search");
	}

	@Test
	void anEntryForARuleThatIsMissingIsNotApplied() {
		LayeredRules rules = live("serach", Definitions.limits("5/s"));
		assertThat(rules.rules()).extracting(Rule::id).containsExactly("search");
		assertThat(rules.notApplied()).extracting(LayeredRules.NotApplied::id, LayeredRules.NotApplied::toString)
			.containsExactly(tuple("serach",
					"redis 13: rules.serach: this application has no rule 'serach', and the entry is not a whole rule: it"
							+ " requires a limit or plans, and 'paths', 'descriptor', 'graphql', or 'programmatic: true'"));
	}

	@Test
	void anEntryForALockedRuleIsNotApplied() {
		RuleLayers locked = this.base.with(layer(Origin.Kind.ANNOTATION, "search",
				Definitions.options(RuleOptions.EMPTY.with(RuleOptions.LOCKED, true))));
		LayeredRules rules = locked
			.rules(Map.of("search", WrittenRule.live("search", Definitions.limits("9/s"), CHANGE)), IGNORED);
		assertThat(rules.rules()).singleElement().satisfies((rule) -> {
			assertThat(rule.locked()).isTrue();
			assertThat(rule.limits()).extracting(Limit::toString).containsExactly("2/s");
			assertThat(rule.origin().top().kind()).isEqualTo(Origin.Kind.PROPERTY);
		});
		assertThat(rules.notApplied()).extracting(LayeredRules.NotApplied::reason)
			.containsExactly("the rule 'search' is locked in this application");
	}

	@Test
	void propertiesUnlockWhatAnAnnotationLocks() {
		RuleLayers unlocked = this.base
			.with(layer(Origin.Kind.ANNOTATION, "search",
					Definitions.options(RuleOptions.EMPTY.with(RuleOptions.LOCKED, true))))
			.with(layer(Origin.Kind.PROPERTY, "search",
					Definitions.options(RuleOptions.EMPTY.with(RuleOptions.LOCKED, false))));
		assertThat(unlocked.rules(IGNORED)).singleElement().returns(false, Rule::locked);
	}

	@Test
	void aLiveEntryCannotLock() {
		for (boolean locked : List.of(true, false)) {
			assertThatExceptionOfType(InvalidRuleException.class)
				.isThrownBy(
						() -> live("search", Definitions.options(RuleOptions.EMPTY.with(RuleOptions.LOCKED, locked))))
				.returns("redis 13: rules.search.locked", InvalidRuleException::location)
				.returns("a live rule cannot lock or unlock a rule", InvalidRuleException::reason);
		}
	}

	@Test
	void anotherEnvironmentTakesThePlaceOfTheFirst() {
		RuleLayers next = this.base.with(layer(Origin.Kind.PROPERTY, "other", Definitions.limits("7/s")))
			.with(RuleDefinition.EMPTY);
		List<Rule> rules = next.rules(IGNORED);
		assertThat(rules).extracting(Rule::id, Rule::limits)
			.containsExactly(tuple("other", limits("7/s")), tuple("search", limits("1/s")));
		assertThat(rules.get(0).reaction().failure()).isEqualTo(FailurePolicy.OPEN);
	}

	@Test
	void warningsAreGivenOnce() {
		List<String> warnings = new ArrayList<>();
		RuleDefinition strange = new RuleDefinition(new Rule.Match(List.of("/a"), List.of(), List.of("GOT")), List.of(),
				Definitions.limits("5/s").quota(), Map.of(), RuleOptions.EMPTY);
		this.base.rules(Map.of("a", WrittenRule.live("a", strange, CHANGE)), warnings::add);
		assertThat(warnings).singleElement().asString().startsWith("redis 13: rules.a.methods = '[GOT]'");
	}

	private LayeredRules live(String id, RuleDefinition definition) {
		return this.base.rules(Map.of(id, WrittenRule.live(id, definition, CHANGE)), IGNORED);
	}

	private static List<Limit> limits(String limit) {
		return RuleBuilder.rule("any").limits(limit).build().limits();
	}

	private static RuleLayer layer(Origin.Kind kind, String id, RuleDefinition definition) {
		return new RuleLayer(kind, Map.of(id, new WrittenRule("ratelimit.rules." + id, definition)));
	}

}
