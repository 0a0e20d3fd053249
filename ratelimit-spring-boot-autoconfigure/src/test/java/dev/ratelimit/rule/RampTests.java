package dev.ratelimit.rule;

import java.util.stream.IntStream;

import dev.ratelimit.test.GoldenVectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RampTests {

	private static final long SEARCH = Ramp.seed("search");

	@ParameterizedTest
	@CsvSource({ "25%, 2500, 25%", "0.5%, 50, 0.5%", "12.34 %, 1234, 12.34%", "100%, 10000, 100%", "0%, 0, 0%",
			"100.00%, 10000, 100%" })
	void readsPercentages(String text, int tenThousandths, String form) {
		assertThat(Ramp.parse(text)).isEqualTo(new Ramp(tenThousandths)).hasToString(form);
	}

	@ParameterizedTest
	@ValueSource(strings = { "25", "", "%", "-1%", "25.123%", "101%", "100.01%", "1000%", "a%", "25%%", "\u0663%" })
	void rejectsWhatIsNone(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> Ramp.parse(text));
	}

	@Test
	void aSubjectHasTheSamePlaceEverywhere() {
		GoldenVectors.read("/vectors/ramp.json").get("cases").forEach((one) -> {
			long seed = Ramp.seed(one.get("rule").asString());
			String subject = one.get("subject").asString();
			int place = one.get("place").asInt();
			assertThat(new Ramp(place).enforces(seed, subject)).as(one.toString()).isFalse();
			assertThat(new Ramp(place + 1).enforces(seed, subject)).as(one.toString()).isTrue();
		});
	}

	@Test
	void aLargerShareEnforcesAllThatASmallerOneDoes() {
		Ramp ten = Ramp.parse("10%");
		Ramp half = Ramp.parse("50%");
		assertThat(users().filter((user) -> ten.enforces(SEARCH, "user:" + user)))
			.allMatch((user) -> half.enforces(SEARCH, "user:" + user));
	}

	@Test
	void theShareIsAboutWhatIsWritten() {
		Ramp quarter = Ramp.parse("25%");
		assertThat(users().filter((user) -> quarter.enforces(SEARCH, "user:" + user)).count()).isBetween(24_300L,
				25_700L);
		assertThat(users().filter((user) -> Ramp.FULL.enforces(SEARCH, "user:" + user)).count()).isEqualTo(100_000);
		assertThat(users().filter((user) -> Ramp.parse("0%").enforces(SEARCH, "user:" + user)).count()).isZero();
	}

	@Test
	void rulesEnforceOtherSubjects() {
		Ramp half = Ramp.parse("50%");
		long login = Ramp.seed("login");
		assertThat(
				users().filter((user) -> half.enforces(SEARCH, "user:" + user) && half.enforces(login, "user:" + user))
					.count())
			.isBetween(24_300L, 25_700L);
	}

	@Test
	void aBrokenSubjectHasAPlaceToo() {
		String broken = "user:\ud800";
		assertThat(Ramp.FULL.enforces(SEARCH, broken)).isTrue();
		for (int share = 0; share <= 10_000; share += 500) {
			assertThat(new Ramp(share).enforces(SEARCH, broken)).isEqualTo(new Ramp(share).enforces(SEARCH, "user:?"));
		}
	}

	private static IntStream users() {
		return IntStream.range(0, 100_000);
	}

}
