package dev.ratelimit.http;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.stream.StreamSupport;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the explanation of a request matches its actual result.
 */
interface ExplainContract {

	HttpProbe http();

	String key();

	private Reply ask(String query) {
		return http().get("/actuator/ratelimit/explain?" + query);
	}

	private JsonNode explain(String query) {
		Reply reply = ask(query);
		assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
		return JsonMapper.shared().readTree(reply.body());
	}

	private String keyed(String path) {
		return "path=" + URLEncoder.encode(path, StandardCharsets.UTF_8) + "&header=X-Key:" + key();
	}

	@Test
	default void explainTellsWhatIsLeftAndChargesNothing() {
		http().get("/c/value", "X-Key", key());
		for (int i = 0; i < 5; i++) {
			JsonNode rule = explain(keyed("/c/value")).at("/rules/annotated-value");
			assertThat(rule.path("applies").asBoolean()).isTrue();
			assertThat(rule.path("reason").asString()).contains("Annotated.value()", "/c/value");
			assertThat(rule.path("subject").asString()).isEqualTo("header:" + key());
			assertThat(rule.path("phase").asString()).isEqualTo("early");
			assertThat(rule.at("/limits/0/remaining").asLong()).isEqualTo(2);
			assertThat(rule.at("/limits/0/passes").asBoolean()).isTrue();
		}
		assertThat(http().statuses(3, "GET", "/c/value", "X-Key", key())).containsExactly(200, 200, 429);
	}

	@Test
	default void explainForetellsARefusalAndItsWait() {
		http().statuses(3, "GET", "/c/value", "X-Key", key());
		JsonNode told = explain(keyed("/c/value"));
		Reply refused = http().get("/c/value", "X-Key", key());
		assertThat(told.path("outcome").asString()).isEqualTo("rejected");
		assertThat(told.path("handler").asString()).isEqualTo("Annotated.value()");
		assertThat(told.at("/rules/everything/outcome").asString()).isEqualTo("allowed");
		assertThat(told.at("/rules/annotated-value/outcome").asString()).isEqualTo("rejected");
		long seconds = (told.at("/rules/annotated-value/limits/0/retryAfterMillis").asLong() + 999) / 1000;
		assertThat(Long.parseLong(refused.header("Retry-After"))).isBetween(seconds - 30, seconds);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "/c/users/7 | true", "/c/users/me | false", "/c/split?v=1 | true", "/c/split?v=2 | false" })
	default void explainAsksTheHandlerMappings(String path, boolean limited) {
		JsonNode told = explain(keyed(path));
		assertThat(told.path("note").isMissingNode()).isTrue();
		assertThat(StreamSupport.stream(told.path("rules").spliterator(), false)
			.filter((rule) -> rule.path("reason").asString().startsWith("the handler"))
			.count()).isEqualTo((limited) ? 1 : 0);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "off | the rule is disabled (mode: off)",
			"by-yaml | the method is not one of the rule's methods [GET]", "everything | the path matches /c/**",
			"named | the rule has no paths; only annotations or code reference it",
			"early | the path does not match the rule's paths [/secured/early]" })
	default void explainSaysWhyARuleAppliesOrNot(String rule, String reason) {
		assertThat(explain("method=post&" + keyed("/c/yaml/7")).at("/rules/" + rule + "/reason").asString())
			.isEqualTo(reason);
	}

	@Test
	default void explainKnowsExceptionsAndReplacements() {
		assertThat(explain(keyed("/c/free/x")).at("/rules/everything/reason").asString())
			.isEqualTo("the path is excluded by /c/free/**");
		JsonNode special = explain(keyed("/charging/special"));
		assertThat(special.at("/rules/general/applies").asBoolean()).isFalse();
		assertThat(special.at("/rules/general/reason").asString()).isEqualTo("a rule that replaces it applies");
		assertThat(special.at("/rules/special/applies").asBoolean()).isTrue();
	}

	@Test
	default void explainGoesByTheUserThePlanAndTheCost() {
		JsonNode late = explain("path=/secured/late&user=alice").at("/rules/late");
		assertThat(late.path("subject").asString()).isEqualTo("user:alice");
		assertThat(late.path("phase").asString()).isEqualTo("late");
		JsonNode paid = explain(keyed("/charging/plans") + "&plan=paid").at("/rules/tariff");
		assertThat(paid.path("plan").asString()).isEqualTo("paid");
		assertThat(paid.at("/limits/0/remaining").asLong()).isEqualTo(3);
		assertThat(explain(keyed("/charging/plans") + "&header=X-Plan:banned").at("/rules/tariff/outcome").asString())
			.isEqualTo("rejected");
		JsonNode costly = explain(keyed("/charging/settled") + "&header=X-Estimate:11").at("/rules/settled");
		assertThat(costly.path("cost").asLong()).isEqualTo(11);
		assertThat(costly.at("/limits/0/retryAfterMillis").asString()).isEqualTo("never");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "/routes/early/one/1 | /routes/%7bphase%7d/one/%7bid%7d",
			"/routes/early/x?v=1 | /routes/%7bphase%7d/%7brest%7d", "/routes/early/x | /routes/early/**" })
	default void explainKnowsTheRoute(String path, String route) {
		assertThat(explain(keyed(path)).at("/rules/routes-early/subject").asString())
			.isEqualTo("header:" + key() + "|route:" + route);
	}

	@Test
	default void explainKnowsMissingKeys() {
		assertThat(explain("path=/c/missing/deny").path("outcome").asString()).isEqualTo("rejected");
		assertThat(explain("path=/c/missing/skip").at("/rules/missing-skip/outcome").asString()).isEqualTo("skipped");
		assertThat(explain("path=/actuator/health").path("outcome").asString()).isEqualTo("exempt");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "path=", "path=c/value", "path=/c&method=G%20T", "path=/c&ip=evil!",
			"path=/c&header=nocolon" })
	default void invalidQueryIsABadRequestWithExample(String query) {
		Reply reply = ask(query);
		assertThat(reply.statusCode()).isEqualTo(400);
		assertThat(reply.body()).contains("\"error\":\"").contains("such as");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/c/%zz", "/c/a%00b", "/c/%2e%2e/x", "/c/[x]", "/c/value?a=%zz&b=[]", "/c/a b" })
	default void hostilePathsAreExplainedToo(String path) {
		assertThat(explain(keyed(path)).path("outcome").asString()).isEqualTo("allowed");
	}

	@Test
	default void doctorAnswersBesideTheRules() {
		Reply reply = http().get("/actuator/ratelimit/doctor");
		assertThat(reply.statusCode()).isEqualTo(200);
		JsonNode findings = JsonMapper.shared().readTree(reply.body()).path("findings");
		assertThat(StreamSupport.stream(findings.spliterator(), false)
			.filter((finding) -> finding.path("location").asString().equals("ratelimit.rules.shadow.key"))
			.toList()).isEmpty();
		assertThat(StreamSupport.stream(findings.spliterator(), false)
			.filter((finding) -> finding.path("code").asString().equals("RL009"))).isNotEmpty()
			.allSatisfy((finding) -> {
				assertThat(finding.path("severity").asString()).isEqualTo("warning");
				assertThat(finding.path("location").asString()).endsWith(".key");
				assertThat(finding.path("link").asString()).isEqualTo("docs/doctor.md#rl009");
				assertThat(finding.path("since").asString()).startsWith("20");
			});
	}

}
