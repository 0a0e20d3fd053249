package dev.ratelimit.autoconfigure;

import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class PropertyFailureTests {

	private final WebApplicationContextRunner runner = EnableAuto.fewer()
		.withPropertyValues(EnableAuto.RULE, EnableAuto.PATHS);

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			ratelimit.deadline                | 0ms   | must be between 1 ms and 1 h
			ratelimit.deadline                | -50ms | must be between 1 ms and 1 h
			ratelimit.deadline                | 61m   | must be between 1 ms and 1 h
			ratelimit.circuit.probe-interval  | 0s    | must be between 1 ms and 1 h
			ratelimit.circuit.probe-interval  | -1s   | must be between 1 ms and 1 h
			ratelimit.circuit.probe-interval  | 61m   | must be between 1 ms and 1 h
			ratelimit.idempotency.methods     | A B   | not an HTTP method
			ratelimit.memory.max-buckets      | 0     | must be positive
			ratelimit.memory.max-buckets      | -1    | must be positive
			ratelimit.idempotency.ttl         | 25h   | must be between 1 ms and 24 h
			ratelimit.idempotency.ttl         | 0s    | must be between 1 ms and 24 h
			ratelimit.idempotency.max-replays | 1000  | must be between 0 and 999
			ratelimit.idempotency.max-markers | 0     | must be at least 1
			ratelimit.redis.key-prefix        | a{b   | braces
			ratelimit.client-address.ipv6-prefix  | 47  | between 48 and 128
			ratelimit.client-address.ipv6-prefix  | 129 | between 48 and 128
			ratelimit.client-address.trusted-hops | 0   | between 1 and 32
			ratelimit.client-address.trusted-hops | 33  | between 1 and 32
			ratelimit.client-address.header       | X-Real-IP | no trusted proxy is configured
			ratelimit.redis.key-prefix        | a}b   | braces
			ratelimit.headers.partition-keys  | true  | find the key of a hash
			ratelimit.headers.names.reset     | Retry-After | another meaning
			ratelimit.events.allowed          | -0.1  | must be between 0 and 1
			ratelimit.events.rejected           | 1.5   | must be between 0 and 1
			ratelimit.events.max-per-second   | 0     | must be between 1 and 100000
			""")
	void valueThatCannotWorkIsRejected(String property, String value, String reason) {
		FailureAnalysis analysis = StartFailure.of(this.runner.withPropertyValues(property + "=" + value));
		assertThat(analysis.getDescription()).contains("Property: " + property + System.lineSeparator())
			.containsPattern("Value: (" + Pattern.quote(value) + "|PT\\S+)")
			.contains(reason);
		assertThat(analysis.getAction()).isNotBlank().endsWith(".");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					ratelimit.client-address.trusted-proxies=[10.0.0.5/8]                    | use 10.0.0.0/8
					ratelimit.client-address.trusted-proxies=[proxy.example.org]             | neither an address, a network, nor a range such as 'private'
					ratelimit.allow=[10.0.0.0/40]                                            | prefix length between 0 and 32
					ratelimit.deny=[2001:db8::/200]                                          | prefix length between 0 and 128
					ratelimit.rules.all.deny=[everybody]                                     | neither an address, a network, nor a range such as 'private'
					ratelimit.rules.all.allow=[fe80::1%eth0]                                 | neither an address, a network, nor a range such as 'private'
					""")
	void invalidNetworkIsRejected(String property, String reason) {
		FailureAnalysis analysis = StartFailure.of(this.runner.withPropertyValues(property.replaceAll("[\\[\\]]", "")));
		assertThat(analysis.getDescription()).contains("Property: " + property.split("=")[0], property.split("=")[1])
			.contains(reason);
		assertThat(analysis.getAction()).contains("10.0.0.0/8");
	}

	@Test
	void clientsAreFoundInOneWay() {
		String prefix = "ratelimit.client-address.";
		assertThat(StartFailure.text(StartFailure
			.of(this.runner.withPropertyValues(prefix + "trusted-hops=1", prefix + "trusted-proxies=10.0.0.0/8"))))
			.contains(prefix + "trusted-hops", "'trusted-proxies' is also set", "Keep one of them.");
		assertThat(StartFailure.text(StartFailure
			.of(this.runner.withPropertyValues(prefix + "source=container", prefix + "trusted-hops=1"))))
			.contains(prefix + "source", "only apply to 'source: own'", "Remove them");
		assertThat(StartFailure.text(StartFailure
			.of(this.runner.withPropertyValues(prefix + "header=X-Real-IP", prefix + "trusted-hops=2"))))
			.contains(prefix + "trusted-hops", "contains a single address", "Set it to 1.");
		assertThat(StartFailure
			.text(StartFailure.of(this.runner.withPropertyValues(prefix + "header=X Y", prefix + "trusted-hops=1"))))
			.contains(prefix + "header", "not a header name");
	}

	@ParameterizedTest
	@CsvSource({ "ratelimit.rules.all.limt", "ratelimit.rules.all.limits[0].brst", "ratelimit.dedline",
			"ratelimit.redis.prefix", "ratelimit.defaults.cost", "ratelimit.idempotency.tttl" })
	void propertyThatIsNotKnownIsRejected(String property) {
		FailureAnalysis analysis = StartFailure.of(this.runner.withPropertyValues(property + "=1"));
		assertThat(analysis.getDescription()).startsWith("RL008 ").contains(property.replaceAll("\\[0].*", ""));
		assertThat(analysis.getAction()).contains("docs/doctor.md#rl008");
	}

	@ParameterizedTest
	@CsvSource({ "ratelimit.rules.all.limt, ratelimit.rules.all.limit", "ratelimit.dedline, ratelimit.deadline",
			"ratelimit.rules.all.excpetPaths, ratelimit.rules.all.except-paths", "ratelimit.lod.mode, ratelimit.load",
			"ratelimit.load.mod, ratelimit.load.mode", "ratelimit.idempotency.tttl, ratelimit.idempotency.ttl",
			"ratelimit.rules.all.wiat, ratelimit.rules.all.wait",
			"ratelimit.rules.all.ban.fro, ratelimit.rules.all.ban.for" })
	void thePropertyThatWasProbablyMeantIsNamed(String property, String meant) {
		FailureAnalysis analysis = StartFailure.of(this.runner.withPropertyValues(property + "=1"));
		assertThat(analysis.getDescription()).contains("Did you mean: " + meant + System.lineSeparator());
	}

	// One file has all of it as a text, and a later one has properties below it.
	@ParameterizedTest
	@CsvSource({ "ratelimit.plan=header:X-Plan, ratelimit.plan.trusted=true",
			"ratelimit.rules.all.wait=1s, ratelimit.rules.all.wait.max=3s" })
	void theTextThatExcludesAPropertyIsNamed(String text, String property) {
		FailureAnalysis analysis = StartFailure.of(this.runner.withPropertyValues(text, property));
		assertThat(analysis.getDescription()).contains("Property: " + property.split("=")[0],
				"'" + text.split("=")[0] + "' is one text, ", ", so properties below it are not read");
		assertThat(analysis.getAction())
			.startsWith("Write '" + text.split("=")[0] + "' as one text or as properties, in all files alike.");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			value = { "ratelimit.rules.all.failure=fail-open | 'open', 'closed', 'local'",
					"ratelimit.defaults.mode=shadwo | 'enforce', 'shadow', 'off'; did you mean 'shadow'?" })
	void constantsAreNamedAsTheyAreWritten(String property, String reason) {
		FailureAnalysis analysis = StartFailure.of(this.runner.withPropertyValues(property));
		assertThat(analysis.getDescription()).contains("Property: " + property.substring(0, property.indexOf('=')),
				"Reason: it must be one of " + reason);
	}

	@Test
	void valueOfAPropertyThatIsNotKnownIsNotTold() {
		FailureAnalysis analysis = StartFailure.of(this.runner.withPropertyValues("ratelimit.secrt=hunter2"));
		assertThat(analysis.getDescription()).contains("Property: ratelimit.secrt", "Origin: ");
		assertThat(StartFailure.text(analysis)).doesNotContain("hunter2");
	}

	@ParameterizedTest
	@CsvSource({ "1", "4" })
	void roomForFewerBucketsThanOneRequestNeedsIsRejected(String room) {
		FailureAnalysis analysis = StartFailure
			.of(this.runner.withPropertyValues("ratelimit.memory.max-buckets=" + room,
					"ratelimit.rules.two.limits=5/s,50/h", "ratelimit.rules.two.paths=/two",
					"ratelimit.rules.two.plans.paid.limits=5/s,50/min,500/h,5000/d", "ratelimit.plan=authority:PLAN_"));
		assertThat(analysis.getDescription()).contains("Property: ratelimit.memory.max-buckets", "Value: " + room,
				"requires 5 buckets");
		assertThat(analysis.getAction()).contains("at least 5.");
	}

	@Test
	void roomForOneRequestIsEnough() {
		this.runner
			.withPropertyValues("ratelimit.memory.max-buckets=1", "ratelimit.rules.off.limit=1/s",
					"ratelimit.rules.off.mode=off")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@CsvSource({ "doctor", "explain" })
	void ruleInThePlaceOfAPageOfTheEndpointIsRejected(String id) {
		FailureAnalysis analysis = StartFailure.of(EnableAuto.servlet()
			.withPropertyValues("ratelimit.rules." + id + ".limit=1/s", "ratelimit.rules." + id + ".paths=/**"));
		assertThat(analysis.getDescription()).contains("ratelimit.rules." + id, "/actuator/ratelimit/" + id);
		assertThat(analysis.getAction()).contains("Rename");
	}

	@ParameterizedTest
	@CsvSource({ "ratelimit.doctor.interval", "ratelimit.doctor.unmatched-after" })
	void timesOfTheDoctorArePositive(String property) {
		FailureAnalysis analysis = StartFailure.of(this.runner.withPropertyValues(property + "=0s"));
		assertThat(analysis.getDescription()).contains("Property: " + property, "it must be positive");
	}

	@Test
	void limitObjectWithAnUnknownPropertyIsRejected() {
		FailureAnalysis analysis = StartFailure.of(EnableAuto.servlet()
			.withPropertyValues(EnableAuto.PATHS, "ratelimit.rules.all.limits[0].limit=1/s",
					"ratelimit.rules.all.limits[0].brst=3"));
		assertThat(analysis.getDescription()).contains("Property: ratelimit.rules.all.limits[0].brst");
	}

	@ParameterizedTest
	@CsvSource({ "ratelimit.rules.all.failure, opn, open", "ratelimit.rules.all.mode, enforced, enforce",
			"ratelimit.defaults.failure, opn, open", "ratelimit.store, memcached, memory",
			"ratelimit.rules.all.on-missing-key, share, shared", "ratelimit.rules.all.phase, middle, early",
			"ratelimit.idempotency.syntax, loose, lenient", "ratelimit.headers.format, draft-8, draft-7" })
	void wordThatIsNotKnownIsRejectedWithThoseThatAre(String property, String value, String known) {
		FailureAnalysis analysis = StartFailure.of(this.runner.withPropertyValues(property + "=" + value));
		assertThat(analysis.getDescription()).contains("Property: " + property, "Value: " + value, "Origin: ",
				"it must be one of '", "'" + known + "'");
		assertThat(analysis.getAction()).contains("Set one of these values");
	}

	@ParameterizedTest
	@CsvSource({ "ratelimit.rules.all.burst, five, not a whole number", "ratelimit.deadline, 50msec, not a duration",
			"ratelimit.rules.all.wait, 5sec, not a duration", "ratelimit.rules.all.wait.max, soon, not a duration",
			"ratelimit.memory.max-buckets, many, not a whole number", "ratelimit.events.allowed, all, not a number",
			"ratelimit.headers.partition-keys, on!, it must be" })
	void valueOfAnotherTypeIsRejected(String property, String value, String reason) {
		FailureAnalysis analysis = StartFailure.of(this.runner.withPropertyValues(property + "=" + value));
		assertThat(analysis.getDescription()).startsWith("Invalid rate limit configuration")
			.contains("Property: " + property, "Value: " + value, reason)
			.doesNotContain("dev.ratelimit.");
		assertThat(analysis.getAction()).startsWith("Correct the value");
	}

	@Test
	void keyPrefixFromTheApplicationsNameIsRejectedWithBraces() {
		FailureAnalysis analysis = StartFailure
			.of(this.runner.withPropertyValues("spring.application.name=a{b}", "ratelimit.secret="));
		assertThat(analysis.getDescription()).contains("rl:a{b}", "braces");
		assertThat(analysis.getAction()).contains("Choose a prefix without braces");
	}

}
