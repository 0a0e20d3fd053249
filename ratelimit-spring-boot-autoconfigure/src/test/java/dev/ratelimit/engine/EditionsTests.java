package dev.ratelimit.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import dev.ratelimit.RuleMode;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.rule.RuleModes;
import dev.ratelimit.rule.RuleSet;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class EditionsTests {

	private static final InvalidRuleException REJECTED = new InvalidRuleException("ratelimit.rules.a", "1/s",
			"it is rejected on purpose", "Do nothing.");

	private final Editions editions = new Editions();

	private final List<String> seen = new ArrayList<>();

	@Test
	void beforeAnyRulesAreLoadedThereIsNone() {
		assertThat(this.editions.current()).isSameAs(Edition.NONE);
		assertThat(this.editions.current().rules().version()).isZero();
	}

	@Test
	void rulesAreInTheOrderOfTheirIds() {
		this.editions.adopt(List.of(rule("c", "1/s"), rule("a", "1/s"), rule("b", "1/s")));
		assertThat(this.editions.current().rules().rules().keySet()).containsExactly("a", "b", "c");
		assertThat(this.editions.current().rules().version()).isEqualTo(1);
	}

	@Test
	void nextRulesReplaceAllThatWere() {
		this.editions.adopt(List.of(rule("a", "1/s")));
		this.editions.adopt(List.of(rule("b", "1/s")));
		assertThat(this.editions.current().compiled()).containsOnlyKeys("b");
		assertThat(this.editions.current().rule("a")).isEmpty();
	}

	@Test
	void checksComeFirstThenPartsInTheirOrderThenTheAssignmentThenListeners() {
		this.editions.addListener((edition) -> this.seen.add("listener " + edition.rules().version()));
		EditionPart<String> first = this.editions.addPart("none", (next, before) -> part("first", next, before));
		this.editions.addPart("none", (next, before) -> part("second after " + first.in(next), next, before));
		this.editions.addCheck((set) -> this.seen.add("check " + set.version()));
		this.editions.adopt(List.of(rule("a", "1/s")));
		assertThat(this.seen).containsExactly("listener 0", "check 1", "first 1 active 0",
				"second after first 1 1 active 0", "listener 1");
		assertThat(first.in(this.editions.current())).isEqualTo("first 1");
	}

	private String part(String name, Edition next, String before) {
		this.seen.add(name + " " + next.rules().version() + " active " + active());
		assertThat(before).isEqualTo("none");
		return name + " " + next.rules().version();
	}

	private long active() {
		return this.editions.current().rules().version();
	}

	@Test
	void aPartThatIsAddedLaterIsInTheActiveEditionToo() {
		this.editions.adopt(List.of(rule("a", "1/s")));
		EditionPart<Long> part = this.editions.addPart(0L, (next, before) -> next.rules().version());
		assertThat(part.in(this.editions.current())).isEqualTo(1);
		assertThat(part.in(Edition.NONE)).isZero();
	}

	@Test
	void aRuleThatASwitchTurnsOffMustBeUsableAllTheSame() {
		this.editions.addPart("none", (next, before) -> {
			if (next.rules().rules().values().stream().anyMatch((rule) -> rule.reaction().mode() != RuleMode.OFF)) {
				throw REJECTED;
			}
			return "compiled";
		});
		this.editions.adopt((RuleModes) (rule) -> RuleMode.OFF);
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> this.editions.adopt(List.of(rule("a", "1/s"))));
		assertThat(active()).isZero();
	}

	@Test
	void toWarmUpCompilesAllAndChangesNothing() {
		this.editions.adopt(List.of(rule("a", "1/s")));
		this.editions.addCheck((set) -> this.seen.add("check"));
		this.editions.addPart("none", (next, known) -> {
			this.seen.add(next.rules().rules().get("a").reaction().mode().toString());
			return "part";
		});
		Edition active = this.editions.current();
		this.seen.clear();
		this.editions.warmUp(() -> List.of(rule("a", "1/s")));
		assertThat(this.editions.current()).isSameAs(active);
		assertThat(this.seen).startsWith("check", "ENFORCE", "ENFORCE").endsWith("SHADOW");
	}

	@Test
	void rulesThatCheckRejectsChangeNothing() {
		this.editions.adopt(List.of(rule("a", "1/s")));
		Edition before = this.editions.current();
		this.editions.addPart("none", (next, known) -> {
			this.seen.add("compiled");
			return known;
		});
		Edition withPart = this.editions.current();
		this.seen.clear();
		this.editions.addCheck((set) -> {
			throw REJECTED;
		});
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> this.editions.adopt(List.of()))
			.isSameAs(REJECTED);
		assertThat(this.editions.current()).isSameAs(withPart);
		assertThat(withPart.rules()).isSameAs(before.rules());
		assertThat(this.seen).isEmpty();
	}

	@Test
	void rulesThatPartRejectsChangeNothing() {
		AtomicReference<Edition> told = new AtomicReference<>();
		this.editions.adopt(List.of(rule("a", "1/s")));
		this.editions.addPart("none", (next, known) -> {
			if (next.rules().version() > 1) {
				throw REJECTED;
			}
			return "compiled";
		});
		this.editions.addListener(told::set);
		Edition before = this.editions.current();
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> this.editions.adopt(List.of(rule("a", "9/s"))));
		assertThat(this.editions.current()).isSameAs(before).isSameAs(told.get());
		assertThat(this.editions.current().rule("a").orElseThrow().rule()).isEqualTo(rule("a", "1/s"));
	}

	@Test
	void onlyWhatChangedIsCompiledAgain() {
		this.editions.adopt(List.of(rule("same", "1/s"), rule("changed", "1/s")));
		Edition before = this.editions.current();
		this.editions.adopt(List.of(rule("same", "1/s"), rule("changed", "2/s")));
		Edition after = this.editions.current();
		assertThat(after.rule("same").orElseThrow()).isSameAs(before.rule("same").orElseThrow());
		assertThat(after.rule("changed").orElseThrow()).isNotSameAs(before.rule("changed").orElseThrow());
	}

	@Test
	void theTimeOfAFormerLimitRunsFromTheAssignment() {
		AtomicReference<Boolean> matters = new AtomicReference<>(false);
		this.editions.adopt(List.of(rule("a", "1000/h")));
		this.editions.addPart("none", (next, before) -> {
			// After a day, the bucket of the former limit would have been full for a
			// long time.
			next.rule("a")
				.flatMap((rule) -> rule.families().get(0).formers().stream().findFirst())
				.ifPresent((former) -> matters.set(former.matters(System.nanoTime() + Duration.ofDays(1).toNanos())));
			return before;
		});
		this.editions.adopt(List.of(rule("a", "2000/h")));
		assertThat(matters.get()).as("not active yet").isTrue();
		assertThat(this.editions.current().rule("a").orElseThrow().families().get(0).formers()).singleElement()
			.satisfies((former) -> {
				assertThat(former.matters(System.nanoTime())).isTrue();
				assertThat(former.matters(System.nanoTime() + Duration.ofDays(1).toNanos())).isFalse();
			});
	}

	@Test
	void aPreparedEditionBecomesActiveAtALaterMoment() {
		this.editions.adopt(List.of(rule("a", "1/s")));
		PreparedEdition prepared = this.editions.prepare(RuleSet.of(13, List.of(rule("a", "2/s"))), FormerRules.NONE);
		assertThat(active()).isEqualTo(1);
		assertThat(this.editions.commit(prepared)).isTrue();
		assertThat(active()).isEqualTo(13);
		assertThat(this.editions.current().rule("a").orElseThrow().rule()).isEqualTo(rule("a", "2/s"));
	}

	@Test
	void anEditionThatWasPreparedForAnotherOneIsRejected() {
		PreparedEdition prepared = this.editions.prepare(RuleSet.of(13, List.of(rule("a", "2/s"))), FormerRules.NONE);
		this.editions.adopt(List.of(rule("b", "1/s")));
		Edition active = this.editions.current();
		assertThat(this.editions.commit(prepared)).isFalse();
		assertThat(this.editions.current()).isSameAs(active);
		assertThat(this.editions.commit(this.editions.prepare(prepared.rules(), FormerRules.NONE))).isTrue();
		assertThat(active()).isEqualTo(13);
	}

	@Test
	void aPartThatIsAddedMeanwhileIsInNoPreparedEdition() {
		this.editions.adopt(List.of(rule("a", "1/s")));
		PreparedEdition prepared = this.editions.prepare(RuleSet.of(13, List.of(rule("a", "2/s"))), FormerRules.NONE);
		this.editions.addPart("none", (next, before) -> "part");
		assertThat(this.editions.commit(prepared)).isFalse();
	}

	@Test
	void otherModesCompileNoLimits() {
		this.editions.adopt(List.of(rule("a", "1/s"), rule("b", "1/s")));
		Edition before = this.editions.current();
		this.editions.adopt(shadow("a"));
		Edition during = this.editions.current();
		assertThat(mode("a")).isEqualTo(RuleMode.SHADOW);
		assertThat(mode("b")).isEqualTo(RuleMode.ENFORCE);
		assertThat(during.rule("b").orElseThrow()).isSameAs(before.rule("b").orElseThrow());
		assertThat(during.rules().version()).isEqualTo(before.rules().version());
		assertThat(during.rules().digest()).isEqualTo(before.rules().digest());
		this.editions.adopt(RuleModes.WRITTEN);
		assertThat(this.editions.current().rule("a").orElseThrow()).isSameAs(before.rule("a").orElseThrow());
	}

	@Test
	void modesAreKeptForRulesThatComeLater() {
		this.editions.adopt(shadow("a"));
		this.editions.adopt(List.of(rule("a", "1/s")));
		assertThat(mode("a")).isEqualTo(RuleMode.SHADOW);
		assertThat(this.editions.current().rules().written().rules().get("a")).isEqualTo(rule("a", "1/s"));
		this.editions.adopt(RuleModes.WRITTEN);
		assertThat(mode("a")).isEqualTo(RuleMode.ENFORCE);
	}

	@Test
	void modesThatAPartRejectsChangeNothing() {
		this.editions.adopt(List.of(rule("a", "1/s")));
		this.editions.addPart("none", (next, known) -> {
			if (next.rules().rules().get("a").reaction().mode() != RuleMode.ENFORCE) {
				throw REJECTED;
			}
			return known;
		});
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> this.editions.adopt(shadow("a")));
		this.editions.adopt(List.of(rule("a", "2/s")));
		assertThat(mode("a")).isEqualTo(RuleMode.ENFORCE);
	}

	private static RuleModes shadow(String id) {
		return (rule) -> (rule.id().equals(id)) ? RuleMode.SHADOW : rule.reaction().mode();
	}

	private RuleMode mode(String id) {
		return this.editions.current().rule(id).orElseThrow().rule().reaction().mode();
	}

	@Test
	void aListenerThatFailsLeavesTheRulesActiveAndTheOthersTold() {
		this.editions.addListener((edition) -> {
			if (edition != Edition.NONE) {
				throw new IllegalStateException("on purpose");
			}
		});
		this.editions.addListener((edition) -> this.seen.add("told " + edition.rules().version()));
		this.editions.adopt(List.of(rule("a", "1/s")));
		assertThat(this.seen).containsExactly("told 0", "told 1");
	}

	private static Rule rule(String id, String limit) {
		return RuleBuilder.rule(id).limits(limit).build();
	}

}
