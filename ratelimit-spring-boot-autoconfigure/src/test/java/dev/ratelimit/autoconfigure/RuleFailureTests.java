package dev.ratelimit.autoconfigure;

import java.util.List;
import java.util.Map;

import dev.ratelimit.Limit;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.rule.Rule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

class RuleFailureTests {

	private static final String RULES = "ratelimit.rules.";

	private final WebApplicationContextRunner runner = EnableAuto.fewer()
		.withPropertyValues(RULES + "search.limit=100/min", RULES + "search.paths=/search/**");

	static List<Arguments> mistakes() {
		return List.of(
				Arguments.of("search.algorithm=tokn-bucket", "search.algorithm", "tokn-bucket", "token-bucket",
						"Use one"),
				Arguments.of("defaults.algorithm=gcra9", "search.algorithm", "gcra9", "no such algorithm", "Use one"),
				Arguments.of("search.limit=100/minn", "search.limit", "100/minn", "'minn' is not a period",
						"Correct the limit"),
				Arguments.of("search.limit=many/min", "search.limit", "many/min", "is not a quantity and a period",
						"100/min"),
				Arguments.of("search.cost=101", "search.cost", "101", "above the capacity of 100", "increase 'burst'"),
				Arguments.of("search.cost=0", "search.cost", "0", "must be at least 1", "Correct the cost"),
				Arguments.of("search.cost=five", "search.cost", "five", "is not a cost", "Correct the cost"),
				Arguments.of("search.cost=bean:nope", "search.cost", "bean:nope", "no bean 'nope' of type CostResolver",
						"Define it"),
				Arguments.of("search.plans.paid=10/s", "search.plans", "[paid]", "no plan source is configured",
						"Set 'ratelimit.plan'"),
				Arguments.of("search.plans.paid=10/x", "search.plans.paid.limit", "10/x", "is not a period",
						"Correct the limit"),
				Arguments.of("search.replaces=general", "search.replaces", "general", "no other rule has this id",
						"Use one of [search]"),
				Arguments.of("search.bucket=A b", "search.bucket", "A b", "lowercase letter", "Rename the bucket"),
				Arguments.of("search.refund.status=6xx", "search.refund.status", "6xx", "is not a status",
						"such as 401"),
				Arguments.of("search.status=200", "search.status", "200", "between 400 and 599", "remove it"),
				Arguments.of("search.key=bean:nope", "search.key", "bean:nope", "no bean 'nope' of type KeyResolver",
						"Define it"),
				Arguments.of("search.key=cookie", "search.key", "cookie", "there is no key 'cookie'; use caller, user",
						"Use one"),
				Arguments.of("search.key=path:id", "search.key", "path:id", "/search/** has no variable {id}",
						"add {id} to it"),
				Arguments.of("search.wait.queue=5", "search.wait.max", "", "the maximum wait is missing", "such as 2s"),
				Arguments.of("search.wait.fair-by=form:username", "search.wait.fair-by", "form:username",
						"requests wait before their form is read", "such as 'caller'"),
				Arguments.of("search.paths=/a/{b", "search.paths", "/a/{b", "is invalid", "Correct the pattern"),
				Arguments.of("search.except-paths=/a/{b", "search.except-paths", "/a/{b", "is invalid",
						"Correct the pattern"),
				Arguments.of("search.except-paths=/**", "search.except-paths", "/**",
						"excludes all of the rule's paths", "'mode: off'"),
				Arguments.of("search.methods=GET POST", "search.methods", "GET POST", "not an HTTP method",
						"such as GET"),
				Arguments.of("search.paths=search", "search.paths", "search", "must start with '/'", "Use '/search'"),
				Arguments.of("lonely.limit=1/s", "lonely.paths", "", "the rule has no 'paths'",
						"Add 'paths', such as '/**'"),
				Arguments.of("empty.paths=/**", "empty", "", "the rule has no limit", "limit: 100/min"),
				Arguments.of("Search.paths=/**", "Search", "Search", "an id must be a lowercase letter", "Rename"));
	}

	@ParameterizedTest
	@MethodSource("mistakes")
	void mistakeIsNamedWithItsValueAndTheFix(String property, String location, String value, String reason,
			String action) {
		String root = (property.startsWith("defaults")) ? "ratelimit." : RULES;
		assertWords(StartFailure.of(this.runner.withPropertyValues(root + property)), RULES + location, value, reason,
				action);
	}

	@Test
	void anEntryOfLimitsWithoutALimitIsRejected() {
		assertWords(
				StartFailure
					.of(this.runner.withPropertyValues(RULES + "steps.limits[0].burst=5", RULES + "steps.paths=/**")),
				RULES + "steps.limits[0].limit", "", "the limit is missing", "such as 100/min");
	}

	@Test
	void aLeaseThatCannotBeRenewedInTimeIsRejected() {
		assertWords(
				StartFailure.of(this.runner.withPropertyValues(RULES + "slots.limit=5",
						RULES + "slots.algorithm=concurrency", RULES + "slots.lease=2s", RULES + "slots.paths=/**")),
				RULES + "slots.lease", "PT2S", "a lease below 3s could end while requests hold them", "at least 3s");
	}

	@Test
	void idsThatDifferByDashesAloneAreRejected() {
		assertWords(
				StartFailure.of(this.runner.withPropertyValues(RULES + "per-ip.limit=1/s", RULES + "per-ip.paths=/**",
						RULES + "perip.limit=1/s", RULES + "perip.paths=/**")),
				RULES + "perip", "", "differs from 'per-ip' only by dashes", "Rename one of them");
	}

	@Test
	void variablesOfTheEnvironmentOverrideRulesWithDashes() {
		EnableAuto.servlet()
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.addFirst(new SystemEnvironmentPropertySource("systemEnvironment",
						Map.of("RATELIMIT_RULES_LOGINPAGE_LIMIT", "7/min"))))
			.withPropertyValues(RULES + "login-page.limit=5/min", RULES + "login-page.paths=/login")
			.run((context) -> {
				Map<String, Rule> rules = context.getBean(Editions.class).current().rules().rules();
				assertThat(rules).containsOnlyKeys("login-page");
				assertThat(rules.get("login-page").limits()).extracting(Limit::toString).containsExactly("7/min");
			});
	}

	@Test
	void rulesThatReplaceEachOtherAreRejected() {
		assertWords(
				StartFailure.of(this.runner.withPropertyValues(RULES + "search.replaces=b", RULES + "b.limit=1/s",
						RULES + "b.paths=/**", RULES + "b.replaces=c", RULES + "c.limit=1/s", RULES + "c.paths=/**",
						RULES + "c.replaces=search")),
				RULES + "b.replaces", "[c]", "the rules replace each other",
				"Set 'replaces' only on the more specific rule");
	}

	@Test
	void earlyRuleCannotHaveAUserAsKey() {
		assertWords(
				StartFailure
					.of(this.runner.withPropertyValues(RULES + "search.phase=early", RULES + "search.key=user")),
				RULES + "search.phase", "early", "require the principal", "Remove 'phase'");
	}

	@Test
	void ruleThatIsClosedOnFailureCannotHonourRetries() {
		assertWords(
				StartFailure.of(this.runner.withPropertyValues(RULES + "search.idempotency=true",
						RULES + "search.failure=closed")),
				RULES + "search.idempotency", "true", "cannot be combined with 'failure: closed'",
				"set 'failure: open'");
	}

	@Test
	void limitAndLimitsExcludeEachOther() {
		assertWords(StartFailure.of(this.runner.withPropertyValues(RULES + "search.limits=1/s")),
				RULES + "search.limits", "Value: [1/s]", "'limit' and 'limits' are both set", "Keep one of them");
	}

	@Test
	void refundAndCountOnlyExcludeEachOther() {
		assertWords(
				StartFailure.of(this.runner.withPropertyValues(RULES + "search.refund.status=5xx",
						RULES + "search.count-only.status=401,403")),
				RULES + "search.count-only", "Value: [401, 403]", "'refund' and 'count-only' are both set",
				"Keep one of them");
	}

	@Test
	void burstOfSeveralLimitsIsAmbiguous() {
		assertWords(
				StartFailure.of(EnableAuto.servlet()
					.withPropertyValues(RULES + "search.limits=10/s,100/min", RULES + "search.paths=/**",
							RULES + "search.burst=20")),
				RULES + "search.burst", "20", "not clear which limit", "Set 'burst' on each limit");
	}

	@Test
	void subjectsThatAreNeverTheSameCannotShareABucket() {
		assertWords(
				StartFailure.of(this.runner.withPropertyValues(RULES + "search.bucket=shared", RULES + "search.key=ip",
						RULES + "z.bucket=shared", RULES + "z.key=header:X-Api-Key", RULES + "z.limit=100/min",
						RULES + "z.paths=/z")),
				RULES + "z.bucket", "shared", "'search' shares the bucket and has the key [ip]", "Set the same key");
	}

	@Test
	void aLateRuleCannotReplaceAnEarlyOne() {
		assertWords(
				StartFailure
					.of(this.runner.withPropertyValues(RULES + "search.key=user", RULES + "search.replaces=login",
							RULES + "login.limit=5/min", RULES + "login.key=ip", RULES + "login.paths=/**")),
				RULES + "search.replaces", "login", "by neither rule", "'phase: late' on 'login'");
	}

	@Test
	void twoLimitsPerWindowAreRejected() {
		assertWords(
				StartFailure.of(EnableAuto.servlet()
					.withPropertyValues(RULES + "search.limits=10/s,20/s", RULES + "search.paths=/**")),
				RULES + "search.limits", "20/s", "two limits per 1s", "Keep the smaller one");
	}

	@Test
	void mistakesAreFoundOnWebFluxToo() {
		assertWords(
				StartFailure.of(EnableAuto.reactive()
					.withPropertyValues(RULES + "search.limit=1/s", RULES + "search.paths=/a/{b")),
				RULES + "search.paths", "/a/{b", "is invalid", "Correct the pattern");
	}

	private static void assertWords(FailureAnalysis analysis, String location, String value, String reason,
			String action) {
		assertThat(analysis.getDescription()).contains("Property: " + location + System.lineSeparator())
			.contains((value.isEmpty()) ? "" : "Value: ", value)
			.contains(reason);
		assertThat(StartFailure.text(analysis)).contains(action);
		assertThat(analysis.getAction()).endsWith(".");
	}

}
