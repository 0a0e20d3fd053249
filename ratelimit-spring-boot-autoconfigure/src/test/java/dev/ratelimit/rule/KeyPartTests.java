package dev.ratelimit.rule;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class KeyPartTests {

	@ParameterizedTest
	@CsvSource({ "caller, CALLER, ''", "user, USER, ''", "ip, IP, ''", "global, GLOBAL, ''", "route, ROUTE, ''",
			"' user ', USER, ''", "header:X-Api-Key, HEADER, X-Api-Key", "path:id, PATH, id", "param:q, PARAM, q",
			"form:username, FORM, username", "claim:tenant, CLAIM, tenant", "bean:tenant, BEAN, tenant",
			"'header: X ', HEADER, X", "claim:a:b, CLAIM, a:b" })
	void readsAKindAndItsArgument(String text, KeyPart.Kind kind, String argument) {
		assertThat(KeyPart.parse(text)).isEqualTo(new KeyPart(kind, argument));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", ":", "users", "User", "header", "header:", "header: ", "user:42", "user:", "ip:",
			"claims:tenant", ":x", "global:" })
	void unknownKeyIsRejectedWithTheKnownKeys(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> KeyPart.parse(text))
			.withMessageStartingWith("there is no key '" + text.trim()
					+ "'; use caller, user, ip, global, route, header:..., cookie:..., path:..., param:..., form:..., claim:..., arg:..., entry:..., bean:...");
	}

	@ParameterizedTest
	@CsvSource({ "usr, user", "User, user", "claims:tenant, claim:tenant", "headr:X, header:X", "header:, header:...",
			"HEADER:X-A, header:X-A", "Cookies:a, cookie:a" })
	void theKeyThatWasProbablyMeantIsNamed(String text, String meant) {
		assertThatIllegalArgumentException().isThrownBy(() -> KeyPart.parse(text))
			.withMessageEndingWith("bean:...; did you mean '" + meant + "'?");
	}

	@ParameterizedTest
	@CsvSource({ "header:X Y, header", "header:a:b, header", "cookie:a b, cookie", "cookie:a=b, cookie" })
	void namesThatNoRequestCanHaveAreRejected(String text, String word) {
		assertThatIllegalArgumentException().isThrownBy(() -> KeyPart.parse(text))
			.withMessage("no " + word + " can have the name '" + text.substring(word.length() + 1) + "'");
	}

	@ParameterizedTest
	@ValueSource(strings = { "caller", "header:X-Api-Key", "bean:tenant" })
	void textFormIsWhatWasRead(String text) {
		assertThat(KeyPart.parse(text)).hasToString(text);
	}

}
