package dev.ratelimit.rule;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import dev.ratelimit.BanKind;
import dev.ratelimit.ExcessPolicy;
import dev.ratelimit.FailurePolicy;
import dev.ratelimit.rule.GraphQlFields.OperationType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class GraphQlRequirementsTests {

	@Test
	void patternsAreNamesOrTheirBeginnings() {
		GraphQlFields fields = GraphQlFields.parse(List.of("Mutation.order", "Query.list*", "Subscription.*"));
		assertThat(fields.match(OperationType.MUTATION, "order")).isTrue();
		assertThat(fields.match(OperationType.MUTATION, "orders")).isFalse();
		assertThat(fields.match(OperationType.QUERY, "order")).isFalse();
		assertThat(fields.match(OperationType.QUERY, "list")).isTrue();
		assertThat(fields.match(OperationType.QUERY, "listUsers")).isTrue();
		assertThat(fields.match(OperationType.SUBSCRIPTION, "any")).isTrue();
		assertThat(fields).hasToString("[Mutation.order, Query.list*, Subscription.*]");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "order", "Query", "Query.", "query.order", "Type.order", "Query.a*b", "Query.*a",
			"Query.a.b", "Query.a b" })
	void invalidRootFieldIsRejected(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> GraphQlFields.parse(List.of(text)))
			.withMessageContaining("'" + text + "'");
	}

	@Test
	void onlyDefaultsWithAMeaningAreInherited() {
		RuleOptions options = RuleOptions.EMPTY.with(RuleOptions.FAILURE, FailurePolicy.CLOSED)
			.with(RuleOptions.ON_EXCESS, ExcessPolicy.TARPIT)
			.with(RuleOptions.COST, "header:X-Cost")
			.with(RuleOptions.IDEMPOTENCY, true)
			.with(RuleOptions.STATUS, 403);
		RuleDefinition defaults = new RuleDefinition(Rule.Match.NONE, List.of("user"),
				new LimitSetDefinition(List.of(), OptionalLong.empty(), Optional.of("gcra")), Map.of(), options);
		Rule rule = Definitions.factory(defaults).rule("a", Origin.CODE, "a", definition());
		assertThat(rule.key().parts()).extracting(KeyPart::toString).containsExactly("user");
		assertThat(rule.reaction().failure()).isEqualTo(FailurePolicy.CLOSED);
		assertThat(rule.reaction().excess().policy()).isEqualTo(ExcessPolicy.REJECT);
		assertThat(rule.numbers().cost()).isEqualTo(Cost.ONE);
		assertThat(rule.reaction().idempotency()).isFalse();
		assertThat(rule.reaction().status()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "cookie:a", "param:a", "path:a", "route", "form:a", "arg:a", "entry:a" })
	void keysThatOperationsDoNotHaveAreRejected(String key) {
		rejection(definition().with(List.of(key)), "a.key", "an operation has no such property");
	}

	@ParameterizedTest
	@ValueSource(strings = { "header:X", "param:a", "content-length", "bean:cost" })
	void costsThatAreNotThoseOfFieldsAreRejected(String cost) {
		rejection(option(RuleOptions.COST, cost), "a.cost", "the cost of an operation is that of its fields");
	}

	@Test
	void optionThatNeedsTheResponseIsRejected() {
		rejection(option(RuleOptions.IDEMPOTENCY, true), "a.idempotency",
				"an idempotency key belongs to a request of HTTP");
		rejection(option(RuleOptions.STATUS, 403), "a.status",
				"the status of a response with GraphQL errors does not depend on them");
		rejection(
				option(RuleOptions.BAN,
						new BanTerms(3, Duration.ofMinutes(1), true, Optional.of(StatusSet.of(List.of("401"))),
								Duration.ofHours(1), 1, Duration.ofDays(1), Duration.ofDays(1), BanKind.BAN)),
				"a.ban.strikes", "the status of a response with GraphQL errors does not depend on them");
		rejection(option(RuleOptions.ON_EXCESS, ExcessPolicy.TARPIT), "a.on-excess", "operations are not held");
		rejection(
				new RuleDefinition(Rule.Match.NONE, List.of(),
						new LimitSetDefinition(List.of(LimitDefinition.of("5")), OptionalLong.empty(),
								Optional.of("concurrency")),
						Map.of(), definition().options()),
				"a.algorithm", "operations are not held");
		rejection(
				new RuleDefinition(new Rule.Match(List.of("/graphql"), List.of(), List.of()), List.of(),
						definition().quota(), Map.of(), definition().options()),
				"a.paths", "a rule of GraphQL operations applies to nothing else");
	}

	@Test
	void aRuleHasOneFront() {
		rejection(option(RuleOptions.DESCRIPTOR, new Descriptor("edge", List.of(Descriptor.Entry.parse("user")))),
				"a.descriptor", "a rule of GraphQL operations applies to nothing else");
	}

	@ParameterizedTest
	@CsvSource({ "graphql, graphql", "7, 7" })
	void fieldsAreChargedByTheirCostOrEach(String cost, String expected) {
		Rule rule = Definitions.factory(RuleDefinition.EMPTY)
			.rule("a", Origin.CODE, "a", option(RuleOptions.COST, cost));
		assertThat(rule.numbers().cost()).hasToString(expected);
		assertThat(rule.graphQl()).isPresent();
	}

	private static RuleDefinition definition() {
		return limit("9/h");
	}

	private static RuleDefinition limit(String limit) {
		return new RuleDefinition(Rule.Match.NONE, List.of(), Definitions.limits(limit).quota(), Map.of(),
				RuleOptions.EMPTY.with(RuleOptions.GRAPHQL, GraphQlFields.parse(List.of("Query.*"))));
	}

	private static <T> RuleDefinition option(RuleOptions.Option<T> option, T value) {
		RuleDefinition plain = definition();
		return new RuleDefinition(plain.match(), plain.key(), plain.quota(), plain.plans(),
				plain.options().with(option, value));
	}

	private static void rejection(RuleDefinition definition, String property, String reason) {
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> Definitions.factory(RuleDefinition.EMPTY).rule("a", Origin.CODE, "a", definition))
			.returns(property, InvalidRuleException::location)
			.withMessageContaining(reason);
	}

}
