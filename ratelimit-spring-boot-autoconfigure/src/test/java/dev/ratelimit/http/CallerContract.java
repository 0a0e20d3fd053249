package dev.ratelimit.http;

import java.util.List;
import java.util.stream.IntStream;

import dev.ratelimit.Decision;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.address.ClientAddress;
import dev.ratelimit.address.IpAddress;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the identification of clients: behind trusted proxies, on lists, with
 * authorities, and by form fields. The probe is a trusted proxy.
 */
interface CallerContract {

	HttpProbe http();

	String key();

	RateLimiter limiter();

	private Reply from(String address, String path, String... headers) {
		String[] all = new String[headers.length + 4];
		System.arraycopy(headers, 0, all, 4, headers.length);
		all[0] = "X-Forwarded-For";
		all[1] = address;
		all[2] = "X-Key";
		all[3] = key();
		return http().get(path, all);
	}

	private List<Integer> statuses(int times, String address, String path, String... headers) {
		return IntStream.range(0, times).mapToObj((i) -> from(address, path, headers).statusCode()).toList();
	}

	private Reply post(String address, String path, String form) {
		return http().send("POST", path, form,
				new String[] { "X-Forwarded-For", address, "Content-Type", "application/x-www-form-urlencoded" });
	}

	// Return an address in a network that is unique for each test and host.
	private String address(int test, int host) {
		int caller = key().hashCode();
		return String.format("2001:%x:%x:%x::1", caller >>> 16, caller & 0xffff, (test << 8) | host);
	}

	// The refund follows the response, so the next request may arrive before it.
	private void awaitFull(String rule, String subject, long limit) {
		Awaitility.await().untilAsserted(() -> {
			Decision look = limiter().acquire(rule, subject, 0).block();
			assertThat(look).isNotNull();
			assertThat(look.verdicts().get(0).remaining()).isEqualTo(limit);
		});
	}

	@Test
	default void clientsBehindATrustedProxyAreToldApartWhateverTheyPutInFront() {
		for (int i = 0; i < 2; i++) {
			assertThat(from("10.0.0." + i + ", " + address(1, 0), "/callers/ip").statusCode()).isEqualTo(200);
		}
		assertThat(from("1.1.1.1, " + address(1, 0), "/callers/ip").statusCode()).isEqualTo(429);
		assertThat(from(address(1, 0) + "2", "/callers/ip").statusCode()).as("the same network").isEqualTo(429);
		assertThat(from(address(1, 1), "/callers/ip").statusCode()).isEqualTo(200);
	}

	@Test
	default void anAddressStandsInForAMissingKey() {
		assertThat(statuses(3, address(2, 0), "/callers/stand-in")).containsExactly(200, 200, 429);
		assertThat(statuses(1, address(2, 1), "/callers/stand-in")).containsExactly(200);
	}

	@Test
	default void anAddressStandsInForAMissingUserUnlessTheRuleSaysOtherwise() {
		assertThat(statuses(3, address(9, 0), "/callers/anonymous")).containsExactly(200, 200, 429);
		assertThat(statuses(1, address(9, 1), "/callers/anonymous")).containsExactly(200);
		statuses(2, address(9, 0), "/callers/shared");
		assertThat(statuses(1, address(9, 1), "/callers/shared")).containsExactly(429);
	}

	@ParameterizedTest
	@CsvSource({ "early", "late" })
	default void aRouteIsThePatternOfTheHandlerThatServesTheRequest(String phase) {
		assertThat(statuses(2, "192.0.2.1", "/routes/" + phase + "/one/1")).containsExactly(200, 200);
		assertThat(statuses(1, "192.0.2.1", "/routes/" + phase + "/one/2")).containsExactly(429);
		assertThat(statuses(3, "192.0.2.1", "/routes/" + phase + "/other")).containsExactly(200, 200, 429);
		assertThat(statuses(2, "192.0.2.1", "/routes/" + phase + "/x?v=1")).containsExactly(200, 200);
		assertThat(statuses(1, "192.0.2.1", "/routes/" + phase + "/y?v=1")).containsExactly(429);
		assertThat(statuses(2, "192.0.2.1", "/routes/" + phase + "/x")).as("no handler: the pattern of the rule")
			.doesNotContain(429);
		assertThat(statuses(1, "192.0.2.1", "/routes/" + phase + "/none/at/all")).containsExactly(429);
	}

	@Test
	default void aFingerprintOfSeveralHeadersIsAKey() {
		String address = address(3, 0);
		assertThat(statuses(3, address, "/callers/fingerprint", "X-JA3", "a", "X-ASN", "64500")).containsExactly(200,
				200, 429);
		assertThat(statuses(1, address, "/callers/fingerprint", "X-JA3", "b", "X-ASN", "64500")).containsExactly(200);
		assertThat(statuses(1, address, "/callers/fingerprint", "X-JA3", "a", "X-ASN", "64501")).containsExactly(200);
		assertThat(statuses(1, address(3, 1), "/callers/fingerprint", "X-JA3", "a", "X-ASN", "64500"))
			.containsExactly(200);
	}

	@Test
	default void anAllowedAddressIsNotLimited() {
		assertThat(statuses(4, "203.0.113.200", "/callers/lists")).containsOnly(200);
		assertThat(statuses(4, "198.51.100.7", "/callers/lists")).containsOnly(200);
		assertThat(from("203.0.113.200", "/callers/lists").headers()).doesNotContainKey("RateLimit-Policy");
		assertThat(statuses(3, "192.0.2.1", "/callers/lists")).containsExactly(200, 200, 429);
		assertThat(statuses(3, "203.0.113.200", "/callers/key")).as("another rule does not allow it")
			.containsExactly(200, 200, 429);
	}

	@ParameterizedTest
	@CsvSource({ "203.0.113.66, /callers/lists", "198.51.100.66, /callers/lists", "198.51.100.66, /callers/nowhere",
			"::ffff:198.51.100.66, /secured/early" })
	default void aDeniedAddressIsRejectedWhateverItHasLeft(String address, String path) {
		Reply rejected = from(address, path);
		assertThat(rejected.statusCode()).isEqualTo(403);
		assertThat(rejected.headers()).doesNotContainKeys("Retry-After", "RateLimit", "RateLimit-Policy");
		assertThat(rejected.header("Cache-Control")).isEqualTo("no-store");
		assertThat(rejected.body()).isEqualTo(
				"{\"type\":\"https://iana.org/assignments/http-problem-types#abnormal-usage-detected\",\"title\":"
						+ "\"Abnormal Usage Detected\",\"status\":403,\"detail\":\"Requests from this IP address are not allowed. Do not"
						+ " retry this request.\",\"instance\":\"" + path + "\",\"violated-policies\":[]}");
	}

	@Test
	default void managementIsThereForDeniedAddressesToo() {
		assertThat(from("198.51.100.66", "/actuator/health").body()).doesNotContain("abnormal-usage-detected");
	}

	@Test
	default void anAuthorityBypassesARule() {
		String root = HttpProbe.basic("root-" + key(), "secret");
		String alice = HttpProbe.basic("alice-" + key(), "secret");
		assertThat(statuses(4, "192.0.2.1", "/secured/bypass", "Authorization", root)).containsOnly(200);
		assertThat(statuses(3, "192.0.2.1", "/secured/bypass", "Authorization", alice)).containsExactly(200, 200, 429);
		assertThat(statuses(1, "192.0.2.1", "/secured/bypass", "Authorization", root)).containsOnly(200);
	}

	@Test
	default void anAuthorityMayBypassAllLateRules() {
		String auditor = HttpProbe.basic("auditor-" + key(), "secret");
		assertThat(statuses(4, "192.0.2.1", "/secured/late", "Authorization", auditor)).containsOnly(200);
		assertThat(statuses(3, "192.0.2.1", "/secured/bypass", "Authorization", auditor)).containsOnly(200);
	}

	@Test
	default void oneAccountIsLimitedHoweverManyAddressesTryIt() {
		for (int i = 0; i < 3; i++) {
			assertThat(post(address(4, i), "/callers/login", "username=alice-" + key() + "&password=no").statusCode())
				.isEqualTo(401);
		}
		for (String name : List.of("alice-" + key(), "ALICE-" + key(), "+alice-" + key() + "%20", "al%69ce-" + key())) {
			assertThat(post(address(4, 9), "/callers/login", "username=" + name + "&password=no").statusCode()).as(name)
				.isEqualTo(429);
		}
		assertThat(post(address(4, 9), "/callers/login", "username=bob-" + key() + "&password=right").body())
			.as("the handler reads the form too")
			.isEqualTo("bob-" + key());
	}

	@Test
	default void oneAddressIsLimitedHoweverManyAccountsItTries() {
		for (int i = 0; i < 5; i++) {
			String form = "username=u" + i + "-" + key() + "&password=no";
			assertThat(post(address(5, 0), "/callers/login", form).statusCode()).isEqualTo(401);
		}
		assertThat(post(address(5, 0), "/callers/login", "username=u6-" + key() + "&password=no").statusCode())
			.isEqualTo(429);
	}

	@Test
	default void rightPasswordsCostNothing() {
		for (int i = 0; i < 8; i++) {
			String form = "username=carol-" + key() + "&password=right";
			assertThat(post(address(6, 0), "/callers/login", form).statusCode()).isEqualTo(200);
			awaitFull("callers-login-account", "form:carol-" + key(), 3);
		}
	}

	@Test
	default void aCookieIsAKeyUnlessThereAreSeveral() {
		String session = "sid-" + key();
		for (int i = 0; i < 2; i++) {
			assertThat(from(address(9, i), "/callers/cookie", "Cookie", "a=b; session=" + session).statusCode())
				.isEqualTo(200);
		}
		assertThat(from(address(9, 3), "/callers/cookie", "Cookie", "session=" + session).statusCode()).isEqualTo(429);
		assertThat(from(address(9, 4), "/callers/cookie", "Cookie", "session=other-" + session).statusCode())
			.isEqualTo(200);
		List<Integer> several = IntStream.range(0, 4)
			.mapToObj((i) -> from(address(9, 5), "/callers/cookie", "Cookie",
					"session=" + session + "; session=x" + i + key())
				.statusCode())
			.toList();
		assertThat(several).as("several cookies are one missing key").contains(429);
	}

	@Test
	default void aFormThatSaysTwoNamesHasNone() {
		String twice = "username=a-" + key() + "&username=b-" + key();
		assertThat(post("192.0.2.1", "/callers/form", twice).statusCode()).isEqualTo(403);
		assertThat(post("192.0.2.1", "/callers/form?username=c", "username=a-" + key()).statusCode()).isEqualTo(403);
		assertThat(post("192.0.2.1", "/callers/form", "username=+").statusCode()).isEqualTo(403);
		assertThat(post("192.0.2.1", "/callers/form?username=c", "").statusCode()).isEqualTo(403);
		assertThat(from("192.0.2.1", "/callers/form?username=c").statusCode()).isEqualTo(403);
		assertThat(post("192.0.2.1", "/callers/form", "username=a-" + key()).statusCode()).isEqualTo(200);
	}

	@Test
	default void aFormThatCannotBeReadIsCounted() {
		List<Integer> statuses = IntStream.range(0, 3)
			.mapToObj((i) -> post(address(7, 0), "/callers/broken", "username=%zz").statusCode())
			.toList();
		assertThat(statuses).containsExactly(400, 400, 429);
	}

	@Test
	default void anEarlyRuleCountsOnlyWrongPasswordsOfHttpBasic() {
		String[] right = { "Authorization", HttpProbe.basic("dave-" + key(), "secret") };
		String[] wrong = { "Authorization", HttpProbe.basic("dave-" + key(), "guess") };
		for (int i = 0; i < 4; i++) {
			assertThat(statuses(1, address(8, 0), "/secured/basic", right)).containsOnly(200);
			awaitFull("callers-basic", "ip:" + ClientAddress.of(IpAddress.parse(address(8, 0)), 64), 2);
		}
		assertThat(statuses(3, address(8, 0), "/secured/basic", wrong)).containsExactly(401, 401, 429);
		assertThat(statuses(1, address(8, 0), "/secured/basic", right)).containsExactly(429);
	}

}
