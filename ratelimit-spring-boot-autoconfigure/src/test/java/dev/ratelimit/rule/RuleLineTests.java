package dev.ratelimit.rule;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RuleLineTests {

	@Test
	void readsMethodsPathsLimitAndKey() {
		assertThat(RuleLine.parse("POST /api/login 5/min per ip"))
			.isEqualTo(new RuleLine(List.of("POST"), List.of("/api/login"), "5/min", List.of("ip")));
		assertThat(RuleLine.parse("  PUT,DELETE  /a/**, /b/{id:[0-9]{1,3}}  100/min  burst 150  per  user, route "))
			.isEqualTo(new RuleLine(List.of("PUT", "DELETE"), List.of("/a/**", "/b/{id:[0-9]{1,3}}"),
					"100/min burst 150", List.of("user", "route")));
	}

	@Test
	void allButTheLimitMayBeLeftOut() {
		assertThat(RuleLine.parse("20 concurrent").properties()).isEqualTo(Map.of("limit", "20 concurrent"));
		assertThat(RuleLine.parse("1_000/day Europe/Paris per header:X-Key").properties())
			.isEqualTo(Map.of("limit", "1_000/day Europe/Paris", "key", "header:X-Key"));
		assertThat(RuleLine.parse("/a,/b unlimited").properties())
			.isEqualTo(Map.of("limit", "unlimited", "paths", List.of("/a", "/b")));
		assertThat(RuleLine.parse("/a 5/PT15M per user").limit()).isEqualTo("5/PT15M");
	}

	// Without the length check, patterns would take minutes for these texts, or overflow
	// the stack.
	@Test
	void aLongTextIsRejectedAtOnce() {
		for (String text : List.of("5/min" + " ".repeat(1 << 20) + "per ip", "GET,".repeat(1 << 18) + "GET /a 5/min")) {
			assertThatIllegalArgumentException().isThrownBy(() -> RuleLine.parse(text))
				.withMessageStartingWith("a line must have at most 1000 characters");
		}
		String limit = "5 /" + " ".repeat(1 << 20) + "min burst";
		assertThat(LimitDefinition.of(limit).limit()).isEqualTo(limit);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			\"\"                     | the line has no limit
			POST /login              | the line has no limit
			POST /login per ip       | the line has no limit
			20                       | '20' is not a limit
			login 5/min              | 'login' is not a path, which starts with '/'
			api/** 10/min per ip     | 'api/**' is not a path, which starts with '/'
			/api/** 100/min ip       | the key 'ip' must follow 'per'
			/api/** 9/min header:A,ip | the key 'header:A,ip' must follow 'per'
			post /login 5/min        | 'post' is not an HTTP method, which has upper-case letters
			/login 5 / min           | '5 / min' is not a limit
			/login 5/min pre ip      | the key 'ip' must follow 'per'
			/login 5/min burst       | '5/min burst' is not a limit
			/login 5/min, 100/h      | '5/min,100/h' is not a limit
			/login 5/min per         | no key follows 'per'
			/login 5/min per ip user | the parts of a key are separated by commas
			/a,,/b 5/min             | a comma must be between two words
			""")
	void saysWhatIsWrong(String line, String reason) {
		assertThatIllegalArgumentException().isThrownBy(() -> RuleLine.parse(line))
			.withMessageContaining(reason)
			.withMessageEndingWith("write a line such as 'POST /api/login 5/min per ip', or a map of properties");
	}

}
