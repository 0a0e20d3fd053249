package dev.ratelimit.web.response;

import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

import dev.ratelimit.Problem;
import dev.ratelimit.Problem.Type;
import dev.ratelimit.web.FakeRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.support.StaticMessageSource;

import static org.assertj.core.api.Assertions.assertThat;

class ProblemTextsTests {

	private static final String CODE = "ratelimit.problem.quota-exceeded";

	private final StaticMessageSource messages = new StaticMessageSource();

	@Test
	void messageIsThatOfTheLanguageThatIsAskedForFirst() {
		this.messages.addMessage(CODE + ".title", Locale.GERMAN, "Zu viele Anfragen");
		this.messages.addMessage(CODE + ".detail", Locale.GERMAN,
				"Noch {0,choice,1#eine Sekunde|1<{0} Sekunden} ({1}).");
		assertThat(problem("fr;q=0.5, de, en;q=0.9", OptionalLong.of(1))).extracting(Problem::title, Problem::detail)
			.containsExactly("Zu viele Anfragen", "Noch eine Sekunde (a, b).");
		assertThat(problem("de", OptionalLong.of(61)).detail()).isEqualTo("Noch 61 Sekunden (a, b).");
		assertThat(problem("fr", OptionalLong.of(61)).title()).isEqualTo("Quota Exceeded");
	}

	@Test
	void noWaitHasWordsOfItsOwn() {
		this.messages.addMessage(CODE + ".detail", Locale.GERMAN, "Noch {0} Sekunden.");
		assertThat(problem("de", OptionalLong.empty()).detail())
			.isEqualTo("Rate limit exceeded. Do not retry this request.");
		this.messages.addMessage(CODE + ".detail-no-retry", Locale.GERMAN, "Nie.");
		assertThat(problem("de", OptionalLong.empty()).detail()).isEqualTo("Nie.");
	}

	@Test
	void missingMessageIsInEnglish() {
		this.messages.setUseCodeAsDefaultMessage(true);
		assertThat(problem("de", OptionalLong.of(1))).extracting(Problem::title, Problem::detail)
			.containsExactly("Quota Exceeded", "Rate limit exceeded. Retry in 1 second.");
	}

	@Test
	void messageThatCannotBeMadeIsInEnglish() {
		this.messages.addMessage(CODE + ".detail", Locale.GERMAN, "{0");
		assertThat(problem("de", OptionalLong.of(2)).detail()).isEqualTo("Rate limit exceeded. Retry in 2 seconds.");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "*", "de;q=nonsense", "de;q=0", "\u0000", "-", "é", ",", ";", "de-" })
	void languageThatCannotBeReadIsThatOfTheMachine(String header) {
		assertThat(ProblemTexts.Languages.preferred(FakeRequest.get("/").header("Accept-Language", header)))
			.isEqualTo(Locale.getDefault());
	}

	@Test
	void languagesAreBounded() {
		String many = "de" + ",fr;q=0.1".repeat(1000);
		assertThat(ProblemTexts.Languages.preferred(FakeRequest.get("/").header("Accept-Language", many)))
			.isEqualTo(Locale.getDefault());
	}

	@ParameterizedTest
	@CsvSource({ "QUOTA_EXCEEDED, quota-exceeded, Quota Exceeded",
			"TEMPORARY_REDUCED_CAPACITY, temporary-reduced-capacity, Temporary Reduced Capacity",
			"ABNORMAL_USAGE_DETECTED, abnormal-usage-detected, Abnormal Usage Detected" })
	void typesAreThoseOfTheDraft(Type type, String fragment, String title) {
		Problem problem = ProblemTexts.ENGLISH.problem(type, 403, OptionalLong.empty(), List.of("a"), "/p",
				FakeRequest.get("/"));
		assertThat(type.uri()).contains("https://iana.org/assignments/http-problem-types#" + fragment);
		assertThat(problem.title()).isEqualTo(title);
		assertThat(problem.detail()).endsWith(" Do not retry this request.");
	}

	private Problem problem(String languages, OptionalLong waitSeconds) {
		return ProblemTexts.of(this.messages)
			.problem(Type.QUOTA_EXCEEDED, 429, waitSeconds, List.of("a", "b"), "/",
					FakeRequest.get("/").header("Accept-Language", languages));
	}

}
