package dev.ratelimit.rule;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.FailurePolicy;
import dev.ratelimit.MissingKeyPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class SharedBucketsTests {

	private final List<String> warnings = new ArrayList<>();

	@ParameterizedTest
	@CsvSource({ "ip, header:X", "ip+user, ip", "param:q, form:q", "caller, global", "ip+user, ip+path:id" })
	void subjectsThatAreNeverTheSameAreRejected(String first, String second) {
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> check(keyed("a", first), keyed("b", second)))
			.returns("ratelimit.rules.b.bucket", InvalidRuleException::location)
			.satisfies((failure) -> assertThat(failure.reason()).startsWith("'a' shares the bucket and has the key ["));
	}

	@ParameterizedTest
	@CsvSource({ "ip, user", "ip, claim:id", "caller, user", "caller, ip", "header:X, header:Y", "ip+caller, ip+user" })
	void subjectsThatAreTheSameForSomeAreReported(String first, String second) {
		check(keyed("a", first), keyed("b", second));
		assertThat(this.warnings).singleElement()
			.satisfies((warning) -> assertThat(warning).startsWith("ratelimit.rules.b.key = '[")
				.contains("only requests with the same subject share a bucket"));
	}

	@ParameterizedTest
	@CsvSource({ "caller, caller", "path:id, path:user", "ip+path:id, ip+path:x" })
	void equivalentKeysAreNotReported(String first, String second) {
		check(keyed("a", first), keyed("b", second), RuleBuilder.rule("c").limits("5/min").key("global"));
		assertThat(this.warnings).isEmpty();
	}

	@Test
	void anAddressInPlaceOfAMissingKeyIsTheSameSubject() {
		check(keyed("a", "ip"), keyed("b", "user").onMissingKey(MissingKeyPolicy.IP));
		assertThat(this.warnings).hasSize(1);
	}

	@Test
	void otherTermsAreReported() {
		check(keyed("a", "ip").failure(FailurePolicy.CLOSED), keyed("b", "ip").idempotency());
		assertThat(this.warnings).containsExactly(
				"ratelimit.rules.b.failure = 'open': 'a' shares the bucket with 'closed'; a request that both rules"
						+ " match is charged once, with the stricter policy",
				"ratelimit.rules.b.idempotency = 'true': 'a' shares the bucket with 'false'; a retry of a request"
						+ " that both rules match is charged");
	}

	@Test
	void limitsOfOtherRegionsAreOthers() {
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> check(keyed("a", "ip"), keyed("b", "ip").with(RuleOptions.REGIONS, RegionMode.SHARED)))
			.returns("'a' shares the bucket and has other limits", InvalidRuleException::reason);
	}

	@Test
	void theIdOfARuleWithoutABucketIsNoBucket() {
		RuleBuilder named = RuleBuilder.rule("a").limits("10/min").key("ip");
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> check(RuleBuilder.rule("b").limits("10/min").key("ip").bucket("a"), named))
			.returns("ratelimit.rules.b.bucket", InvalidRuleException::location)
			.returns("'a' is a rule that does not set this bucket, so it would share nothing",
					InvalidRuleException::reason)
			.returns("Set 'bucket: a' on the rule 'a', too, or use a name that is not the id of a rule.",
					InvalidRuleException::action);
		check(RuleBuilder.rule("b").limits("10/min").key("ip").bucket("a"), named.bucket("a"));
		check(RuleBuilder.rule("own").limits("10/min").key("ip").bucket("own"));
		assertThat(this.warnings).isEmpty();
	}

	private static RuleBuilder keyed(String id, String key) {
		return RuleBuilder.rule(id).limits("10/min").key(key.split("\\+")).bucket("s");
	}

	private void check(RuleBuilder... rules) {
		RuleSetChecks.SharedBuckets.check(List.of(rules).stream().map(RuleBuilder::build).toList(), this.warnings::add);
	}

}
