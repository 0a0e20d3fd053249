package dev.ratelimit.autoconfigure;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that a valid but probably unintended configuration is logged once at startup.
 */
@ExtendWith(OutputCaptureExtension.class)
class ConfigurationWarningTests {

	private static final String RULES = "ratelimit.rules.";

	private final WebApplicationContextRunner runner = EnableAuto.servlet()
		.withPropertyValues("ratelimit.store=memory", "ratelimit.doctor.enabled=false");

	@Test
	void probableMistakesAreReported(CapturedOutput output) {
		start(this.runner
			.withPropertyValues("ratelimit.deadline=6s", "ratelimit.circuit.probe-interval=2m",
					"ratelimit.idempotency.methods=POTS")
			.withPropertyValues(rule("methods", "10/min", "methods=GTE"))
			.withPropertyValues(rule("refund", "10/min", "refund.status=429"))
			.withPropertyValues(rule("count", "10/min", "count-only.status=420", "status=420"))
			.withPropertyValues(rule("form", "10/min", "methods=GET", "key=form:name"))
			.withPropertyValues("ratelimit.rules.query.paths=/search?q=x", "ratelimit.rules.query.limit=10/min")
			.withPropertyValues("ratelimit.rules.encoded.paths=/my%20files", "ratelimit.rules.encoded.limit=10/min")
			.withPropertyValues(rule("parameter", "10/min", "except-paths=/parameter/a;b=c"))
			.withPropertyValues(rule("nothing", "10/min", "refund.status=1xx,2xx,3xx,4xx,5xx"))
			.withPropertyValues(rule("strikes", "10/min", "ban.strikes=429"))
			.withPropertyValues(rule("free", "unlimited", "burst=20"))
			.withPropertyValues(rule("none", "0/min", "burst=20"))
			.withPropertyValues(rule("one", "10/min", "bucket=s", "failure=closed"))
			.withPropertyValues(rule("two", "10/min", "bucket=s"))
			.withPropertyValues(rule("code", "10/min", "except-paths=/**", "programmatic=true")));
		assertThat(output).containsOnlyOnce("ratelimit.deadline = 'PT6S': requests may wait this long")
			.containsOnlyOnce("ratelimit.circuit.probe-interval = 'PT2M': rules apply their failure policy until")
			.containsOnlyOnce("ratelimit.idempotency.methods = '[POTS]': it is not a known HTTP method")
			.containsOnlyOnce(RULES + "methods.methods = '[GTE]': it is not a known HTTP method")
			.containsOnlyOnce(RULES + "refund.refund = 'status [429]': requests that this rule rejects are not charged")
			.containsOnlyOnce(RULES + "count.refund = 'status other than [420]': requests that this rule rejects")
			.containsOnlyOnce(RULES + "free.burst = '20': 'unlimited' does not support 'burst'")
			.containsOnlyOnce(RULES + "none.burst = '20': '0/min' does not support 'burst'")
			.containsOnlyOnce(RULES + "form.methods = '[GET]': only POST requests have a form")
			.containsOnlyOnce(RULES + "query.paths = '/search?q=x': a pattern matches the path without the query")
			.containsOnlyOnce(RULES + "encoded.paths = '/my%20files': a pattern matches the decoded path")
			.containsOnlyOnce(RULES + "parameter.except-paths = '/parameter/a;b=c': a pattern matches the path without")
			.containsOnlyOnce(RULES + "nothing.refund = 'status [1xx, 2xx, 3xx, 4xx, 5xx]': the charge of each request")
			.containsOnlyOnce(RULES + "strikes.ban.strikes = '[429]': requests that this rule rejects are the strike")
			.containsOnlyOnce(RULES + "two.failure = 'open': 'one' shares the bucket with 'closed'")
			.containsOnlyOnce(RULES + "code.except-paths = '[/**]': it excludes all of the rule's paths [/code]");
	}

	@Test
	void probesWithoutAPauseAreReported(CapturedOutput output) {
		start(this.runner.withPropertyValues("ratelimit.circuit.probe-interval=5ms"));
		assertThat(output).containsOnlyOnce("'PT0.005S': each instance calls an unavailable Redis this often");
	}

	@Test
	void validConfigurationIsNotReported(CapturedOutput output) {
		start(this.runner.withPropertyValues("ratelimit.deadline=1s", "ratelimit.circuit.probe-interval=10s")
			.withPropertyValues(rule("a", "10/min", "methods=get,propfind", "refund.status=4xx", "burst=20", "bucket=s",
					"except-paths=/a/b"))
			.withPropertyValues(rule("b", "10/min", "burst=20", "bucket=s", "count-only.status=401,429",
					"ban.strikes=rejected,4xx"))
			.withPropertyValues(rule("plain", "10/min")));
		assertThat(output).contains("Loaded 3 rate limit rules").doesNotContain("WARN dev.ratelimit");
	}

	private static void start(WebApplicationContextRunner runner) {
		runner.run((context) -> assertThat(context).hasNotFailed());
	}

	private static String[] rule(String id, String limit, String... properties) {
		String[] all = new String[properties.length + 2];
		all[0] = RULES + id + ".limit=" + limit;
		all[1] = RULES + id + ".paths=/" + id;
		for (int i = 0; i < properties.length; i++) {
			all[i + 2] = RULES + id + "." + properties[i];
		}
		return all;
	}

}
