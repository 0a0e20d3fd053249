package dev.ratelimit.rule;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import dev.ratelimit.FailurePolicy;
import dev.ratelimit.MissingKeyPolicy;
import dev.ratelimit.Phase;
import dev.ratelimit.RuleMode;
import dev.ratelimit.web.HandlerKey;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.assertj.core.api.ObjectAssert;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class AnnotatedRulesTests {

	@Test
	void unnamedRuleIsNamedByClassAndMethod() {
		AnnotatedRules rules = read(AnnotatedControllers.HTTPStatusController.class);
		assertThat(rules.definitions().keySet()).containsExactly("http-status-controller-get-v2-status",
				"http-status-controller-list", "http-status-controller-list-2");
		assertThat(rules.definitions().get("http-status-controller-list").location())
			.isEqualTo("@RateLimited on HTTPStatusController.list()");
	}

	@Test
	void handlerWithoutAnnotationsHasNoRules() {
		assertThat(names(read(AnnotatedControllers.HTTPStatusController.class))).containsExactly("getV2Status", "list");
	}

	@Test
	void annotationIsRepeatable() {
		assertThat(ids(AnnotatedControllers.HTTPStatusController.class, "list"))
			.containsExactly("http-status-controller-list", "http-status-controller-list-2");
	}

	@Test
	void methodsOfAClassShareItsRuleUnlessTheyHaveTheirOwn() {
		assertThat(ids(AnnotatedControllers.Shared.class, "one")).containsExactly("shared");
		assertThat(ids(AnnotatedControllers.Shared.class, "two")).containsExactly("shared");
		assertThat(ids(AnnotatedControllers.Shared.class, "own")).containsExactly("shared-own");
		assertThat(read(AnnotatedControllers.Shared.class).definitions()).containsOnlyKeys("shared", "shared-own");
	}

	@Test
	void annotationsOnAnnotationsCount() {
		assertThat(ids(AnnotatedControllers.Composed.class, "slow")).containsExactly("composed-slow");
		assertThat(read(AnnotatedControllers.Composed.class).definitions()
			.get("composed-slow")
			.definition()
			.quota()
			.limits()).containsExactly(LimitDefinition.of("1/h"));
	}

	@Test
	void ruleThatIsWrittenElsewhereIsOnlyNamed() {
		assertThat(ids(AnnotatedControllers.Elsewhere.class, "search")).containsExactly("search");
		assertThat(read(AnnotatedControllers.Elsewhere.class).definitions()).isEmpty();
	}

	@Test
	void attributesAreTheDefinition() {
		assertThat(read(AnnotatedControllers.Attributes.class).definitions().get("all").definition())
			.isEqualTo(definition(List.of("ip", "route"),
					new LimitSetDefinition(List.of(LimitDefinition.of("9/s")), OptionalLong.of(20),
							Optional.of("token-bucket")),
					RuleOptions.EMPTY.with(RuleOptions.COST, "3")
						.with(RuleOptions.FAILURE, FailurePolicy.CLOSED)
						.with(RuleOptions.MODE, RuleMode.SHADOW)
						.with(RuleOptions.ON_MISSING_KEY, MissingKeyPolicy.DENY)
						.with(RuleOptions.PHASE, Phase.LATE)
						.with(RuleOptions.STATUS, 418)
						.with(RuleOptions.IDEMPOTENCY, true)));
		assertThat(read(AnnotatedControllers.Shared.class).definitions().get("shared").definition())
			.isEqualTo(definition(List.of(),
					new LimitSetDefinition(List.of(LimitDefinition.of("5/s")), OptionalLong.empty(), Optional.empty()),
					RuleOptions.EMPTY));
	}

	private static RuleDefinition definition(List<String> key, LimitSetDefinition quota, RuleOptions options) {
		return new RuleDefinition(Rule.Match.NONE, key, quota, Map.of(), options);
	}

	@Test
	void methodsMayShareARuleThatTheyWriteAlike() {
		assertThat(read(AnnotatedControllers.Alike.class).definitions()).containsOnlyKeys("alike");
		assertThat(read(AnnotatedControllers.Alike.class).byMethod()).hasSize(2);
	}

	@Test
	void rulesOfOneIdThatDifferAreRejected() {
		rejection(AnnotatedControllers.Clashing.class).returns("clash", InvalidRuleException::value)
			.returns("Set a different 'id' on one of them.", InvalidRuleException::action)
			.satisfies((failure) -> assertThat(failure.location() + failure.reason()).contains("Clashing.first()",
					"Clashing.second()"));
	}

	@Test
	void overloadedMethodsWithoutIdsAreRejected() {
		rejection(AnnotatedControllers.Overloaded.class).returns("overloaded-get", InvalidRuleException::value)
			.returns("Set a different 'id' on one of them.", InvalidRuleException::action);
	}

	@Test
	void classesOfOneNameDoNotShareARuleUnasked() {
		rejection(AnnotatedControllers.Shared.class, AnnotatedControllers.Elsewhere.Shared.class)
			.returns("shared", InvalidRuleException::value)
			.returns("Set a different 'id' on one of them.", InvalidRuleException::action);
	}

	@Test
	void ruleIsWrittenHereOrElsewhere() {
		rejection(AnnotatedControllers.Both.class).returns("search", InvalidRuleException::value)
			.returns("Remove 'rule', or remove the other attributes.", InvalidRuleException::action);
		rejection(AnnotatedControllers.KeyBesideRule.class).returns("search", InvalidRuleException::value);
	}

	@Test
	void ruleThatIsNamedTwiceAppliesOnce() {
		assertThat(ids(AnnotatedControllers.Twice.class, "search")).containsExactly("search");
	}

	@Test
	void attributesWithSeveralValuesAreRejected() {
		rejection(AnnotatedControllers.Undecided.class).returns("[OPEN, CLOSED]", InvalidRuleException::value)
			.returns("'failure' accepts at most one value", InvalidRuleException::reason);
	}

	@Test
	void longNamesAreBoundedAndStayApart() {
		assertThat(read(AnnotatedControllers.Wordy.class).definitions().keySet()).hasSize(2)
			.allSatisfy((id) -> assertThat(id).hasSize(64)
				.startsWith("wordy-a-method-whose-name-is-longer")
				.matches("[a-z][a-z0-9-]*"));
	}

	private static AnnotatedRules read(Class<?>... types) {
		List<HandlerKey> handlers = new ArrayList<>();
		for (Class<?> type : types) {
			Arrays.stream(type.getDeclaredMethods())
				.filter((method) -> !method.isSynthetic())
				.sorted(Comparator.comparing(Method::toString))
				.forEach((method) -> handlers.add(new HandlerKey(type, method)));
		}
		return AnnotatedRules.of(handlers);
	}

	private static List<String> names(AnnotatedRules rules) {
		return rules.byMethod().keySet().stream().map((handler) -> handler.method().getName()).toList();
	}

	private static List<String> ids(Class<?> type, String method) {
		return read(type).byMethod()
			.entrySet()
			.stream()
			.filter((entry) -> entry.getKey().method().getName().equals(method))
			.findFirst()
			.orElseThrow()
			.getValue();
	}

	private static ObjectAssert<InvalidRuleException> rejection(Class<?>... types) {
		return assertThatThrownBy(() -> read(types))
			.asInstanceOf(InstanceOfAssertFactories.type(InvalidRuleException.class));
	}

}
