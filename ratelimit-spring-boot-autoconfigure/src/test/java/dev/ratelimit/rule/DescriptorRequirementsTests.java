package dev.ratelimit.rule;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import dev.ratelimit.FailurePolicy;
import dev.ratelimit.Limit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class DescriptorRequirementsTests {

	private static final Descriptor FREE = new Descriptor("edge", List.of(Descriptor.Entry.parse("plan=free"),
			Descriptor.Entry.parse("path=/a*"), Descriptor.Entry.parse("ip")));

	@Test
	void theKeyIsWhatDiffersBetweenDescriptors() {
		assertThat(rule(definition()).key().parts()).extracting(KeyPart::toString)
			.containsExactly("entry:path", "entry:ip");
		Descriptor fixed = new Descriptor("edge", List.of(Descriptor.Entry.parse("plan=free")));
		assertThat(RuleBuilder.rule("a").limits("1/s").descriptor("edge", "plan=free").build().key().parts())
			.extracting(KeyPart::toString)
			.containsExactly("global");
		assertThat(fixed).hasToString("edge: plan=free");
		assertThat(rule(definition().with(List.of("entry:plan", "entry:ip"))).key().parts()).hasSize(2);
		assertThat(rule(definition().with(List.of("global"))).descriptor()).contains(FREE);
	}

	@Test
	void onlyDefaultsWithAMeaningAreInherited() {
		RuleOptions options = RuleOptions.EMPTY.with(RuleOptions.FAILURE, FailurePolicy.CLOSED)
			.with(RuleOptions.IDEMPOTENCY, true)
			.with(RuleOptions.STATUS, 403);
		RuleDefinition defaults = new RuleDefinition(Rule.Match.NONE, List.of("user"),
				new LimitSetDefinition(List.of(), OptionalLong.empty(), Optional.of("gcra")), Map.of(), options);
		Rule rule = Definitions.factory(defaults).rule("a", Origin.CODE, "a", definition());
		assertThat(rule.key().parts()).extracting(KeyPart::toString).doesNotContain("user");
		assertThat(rule.reaction().failure()).isEqualTo(FailurePolicy.CLOSED);
		assertThat(rule.reaction().idempotency()).isFalse();
		assertThat(rule.reaction().status()).isEmpty();
		assertThat(rule.limits()).extracting(Limit::algorithm).containsExactly("gcra");
	}

	@ParameterizedTest
	@CsvSource({ "user, the descriptor has no such entry", "entry:other, the descriptor has no such entry",
			"header:X, the descriptor has no such entry" })
	void otherKeysAreRejected(String key, String reason) {
		rejection(definition().with(List.of(key)), "a.key", reason);
	}

	@Test
	void optionThatNeedsTheRequestIsRejected() {
		rejection(option(RuleOptions.IDEMPOTENCY, true), "a.idempotency",
				"Envoy sends descriptors, and not the request");
		rejection(option(RuleOptions.STATUS, 403), "a.status", "Envoy handles the response, and does not report it");
		rejection(option(RuleOptions.COST, "header:X"), "a.cost", "Envoy sends descriptors, and not the request");
		rejection(option(RuleOptions.BUCKET, "x"), "a.bucket", "each descriptor has its own");
		assertThat(rule(option(RuleOptions.COST, "3")).units()).isEqualTo(3);
		assertThat(rule(option(RuleOptions.COST, "1_0")).units()).isEqualTo(10);
		RuleDefinition paths = new RuleDefinition(new Rule.Match(List.of("/a"), List.of(), List.of()), List.of(),
				Definitions.limits("1/s").quota(), Map.of(), definition().options());
		rejection(paths, "a.paths", "a rule of descriptors applies to no other call");
		RuleDefinition plans = new RuleDefinition(Rule.Match.NONE, List.of(), Definitions.limits("1/s").quota(),
				Map.of("pro", Definitions.limits("2/s").quota()), definition().options());
		rejection(plans, "a.plans", "Envoy sends descriptors, and not the request");
		for (String algorithm : List.of("leaky-bucket", "concurrency")) {
			RuleDefinition held = new RuleDefinition(Rule.Match.NONE, List.of(),
					new LimitSetDefinition(List.of(LimitDefinition.of((algorithm.startsWith("l")) ? "5/s" : "5")),
							OptionalLong.empty(), Optional.of(algorithm)),
					Map.of(), definition().options());
			rejection(held, "a.algorithm", "Envoy does not report the end of a request, and holds none");
		}
	}

	@Test
	void descriptorsAreBounded() {
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> new Descriptor("", FREE.entries()))
			.withMessage("rule.domain: the domain is empty");
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> new Descriptor("edge", List.of()))
			.withMessageContaining("1 to 32 entries");
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> Descriptor.Entry.parse("=free"))
			.withMessageContaining("the key of an entry is empty");
		assertThat(Descriptor.Entry.parse("a=b=c")).isEqualTo(new Descriptor.Entry("a", Optional.of("b=c")));
		assertThat(Descriptor.Entry.parse("a=")).isEqualTo(new Descriptor.Entry("a", Optional.of("")));
	}

	private static RuleDefinition definition() {
		return new RuleDefinition(Rule.Match.NONE, List.of(), Definitions.limits("10/min").quota(), Map.of(),
				RuleOptions.EMPTY.with(RuleOptions.DESCRIPTOR, FREE));
	}

	private static <T> RuleDefinition option(RuleOptions.Option<T> option, T value) {
		RuleDefinition definition = definition();
		return new RuleDefinition(definition.match(), definition.key(), definition.quota(), Map.of(),
				definition.options().with(option, value));
	}

	private static Rule rule(RuleDefinition definition) {
		return Definitions.factory(RuleDefinition.EMPTY).rule("a", Origin.CODE, "a", definition);
	}

	private static void rejection(RuleDefinition definition, String location, String reason) {
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> rule(definition))
			.returns(location, InvalidRuleException::location)
			.returns(reason, InvalidRuleException::reason);
	}

}
