package dev.ratelimit.client;

import java.net.URI;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class QuotaTests {

	private static Quota quota(String url) {
		return new Quota("partner", List.of(url), "partner", Duration.ZERO, Duration.ofMinutes(1));
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			https://api.example.com/**       | https://api.example.com/v1/a?b     | true
			https://api.example.com/**       | https://api.example.com            | true
			https://api.example.com          | https://API.example.com:443/v1     | true
			HTTPS://API.example.com/V1/**    | https://api.example.com/V1/a       | true
			https://api.example.com/V1/**    | https://api.example.com/v1/a       | false
			https://api.example.com/**       | http://api.example.com/            | false
			https://api.example.com/**       | https://api.example.com:8443/      | false
			https://api.example.com:8443/**  | https://api.example.com:8443/      | true
			https://api.example.com/**       | https://api.example.com.evil.org/  | false
			https://api.example.com/**       | https://user@api.example.com/      | true
			https://api.example.com/**       | https://evil.org/api.example.com/  | false
			https://*.example.com/**         | https://eu.api.example.com/        | true
			https://*.example.com/**         | https://example.com/               | false
			https://*.example.com/**         | https://evilexample.com/           | false
			http://[::1]:8080/**             | http://[::1]:8080/                 | true
			http://localhost:8080/a/*        | http://localhost:8080/a/b/c        | false
			https://*.example.com/**         | https://my_tenant.example.com/     | true
			https://*.example.com/**         | https://u@my_tenant.example.com:80/ | false
			https://my_tenant.example.com    | https://My_Tenant.example.com:443/ | true
			https://api.example.com/**       | mailto:someone@example.com         | false
			""", delimiter = '|')
	void matchesUrls(String pattern, String url, boolean expected) {
		Quotas quotas = new Quotas(new RecordedLimiter(), List.of(quota(pattern)));
		assertThat(quotas.of(URI.create(url)).isPresent()).isEqualTo(expected);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "/v1/**", "api.example.com/**", "ftp://api.example.com/**", "https://", "https:///a",
			"https://a:port/", "https://user@api.example.com/", "https://api.*.com/", "https://api.example.com/**/a{",
			"https://api.example.com?a=1" })
	void rejectsWhatIsNoPattern(String url) {
		assertThatExceptionOfType(InvalidQuotaException.class).isThrownBy(() -> quota(url))
			.satisfies((ex) -> assertThat(ex.setting()).isEqualTo("partner.urls"));
	}

	@Test
	void rejectsSettingsThatCannotWork() {
		assertThatExceptionOfType(InvalidQuotaException.class)
			.isThrownBy(() -> new Quota("partner", List.of(), "partner", Duration.ZERO, Duration.ZERO))
			.withMessage("quota 'partner', urls = '[]': it must not be empty");
		List<String> urls = List.of("https://a");
		assertThatExceptionOfType(InvalidQuotaException.class)
			.isThrownBy(() -> new Quota("partner", urls, " ", Duration.ZERO, Duration.ZERO));
		assertThatExceptionOfType(InvalidQuotaException.class)
			.isThrownBy(() -> new Quota("partner", urls, "partner", Duration.ofMillis(-1), Duration.ZERO));
		assertThatExceptionOfType(InvalidQuotaException.class)
			.isThrownBy(() -> new Quota("partner", urls, "partner", Duration.ZERO, Duration.ofDays(2)));
	}

}
