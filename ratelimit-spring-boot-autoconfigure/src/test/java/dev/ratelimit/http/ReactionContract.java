package dev.ratelimit.http;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.BanKind;
import dev.ratelimit.Decision;
import dev.ratelimit.Outcome;
import dev.ratelimit.RateLimitExceededException;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.Reason;
import dev.ratelimit.ban.Bans;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests the reactions of rules other than immediate rejections, on both stacks.
 */
@SpringBootTest(classes = ReactionApplication.class, webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = "spring.config.name=reactions")
abstract class ReactionContract {

	private static final AtomicInteger ADDRESSES = new AtomicInteger();

	@Autowired
	private RateLimiter limiter;

	@Autowired
	private Bans bans;

	@Autowired
	private ReactionApplication.Quotes quotes;

	@LocalServerPort
	private int port;

	/** A key that no other client uses. */
	private String key = "";

	@BeforeEach
	void begin() {
		this.key = UUID.randomUUID().toString();
	}

	/** Return the address of a client that sends no other requests. */
	private static String address() {
		return "203.0.113." + ADDRESSES.incrementAndGet();
	}

	private Reply from(String address, String path, String... headers) {
		List<String> all = new ArrayList<>(List.of("X-Forwarded-For", address));
		all.addAll(List.of(headers));
		return get(path, all.toArray(String[]::new));
	}

	private static void soon(ThrowingRunnable assertion) {
		Awaitility.await().pollInterval(Duration.ofMillis(10)).untilAsserted(assertion);
	}

	private Reply get(String path, String... headers) {
		return new HttpProbe(this.port).get(path + "?who=" + this.key, headers);
	}

	@Test
	void aDegradedRequestIsAllowedAndItsHandlerIsTold() {
		assertThat(get("/degraded").body()).isEqualTo("all");
		Reply degraded = get("/degraded");
		assertThat(degraded.statusCode()).isEqualTo(200);
		assertThat(degraded.body()).isEqualTo("less");
		assertThat(degraded.header("RateLimit")).startsWith("\"degrading\";r=0");
		assertThat(degraded.headers()).doesNotContainKey("Retry-After");
	}

	@Test
	void rejectionsBanTheClientForAWhile() {
		String address = address();
		assertThat(from(address, "/banning").statusCode()).isEqualTo(200);
		assertThat(from(address, "/banning").statusCode()).isEqualTo(429);
		assertThat(from(address, "/banning").statusCode()).isEqualTo(429);
		soon(() -> assertThat(from(address, "/banning").statusCode()).isEqualTo(403));
		Reply banned = from(address, "/banning");
		assertThat(Integer.parseInt(banned.header("Retry-After"))).isBetween(890, 900);
		assertThat(banned.body()).contains("\"type\":\"https://iana.org/assignments/http-problem-types#abnormal-usage",
				"\"status\":403", "\"detail\":\"Too many requests were rejected or failed. Retry in ");
		assertThat(banned.header("RateLimit")).isEmpty();
		assertThat(from(address(), "/banning").statusCode()).isEqualTo(200);
		assertThat(from(address, "/login/200").statusCode()).as("another rule").isEqualTo(200);
	}

	@Test
	void statusesBanTheClient() {
		String address = address();
		for (int i = 0; i < 5; i++) {
			assertThat(from(address, "/login/200").statusCode()).isEqualTo(200);
		}
		assertThat(from(address, "/login/401").statusCode()).isEqualTo(401);
		assertThat(from(address, "/login/401").statusCode()).isEqualTo(401);
		soon(() -> assertThat(from(address, "/login/200").statusCode()).isEqualTo(403));
	}

	@Test
	void aMarkedClientIsNotToldAndItsHandlerIs() {
		String address = address();
		assertThat(from(address, "/marking/plain").body()).isEqualTo("plain");
		assertThat(from(address, "/marking/plain").statusCode()).isEqualTo(429);
		assertThat(from(address, "/marking/plain").statusCode()).isEqualTo(429);
		soon(() -> assertThat(from(address, "/marking/plain").statusCode()).isEqualTo(200));
		Reply marked = from(address, "/marking/plain");
		assertThat(marked.body()).isEqualTo("marked");
		assertThat(marked.headers()).doesNotContainKeys("RateLimit", "RateLimit-Policy", "X-RateLimit-Limit",
				"Retry-After");
	}

	@Test
	void aUserIsBannedWhateverItSaysOfItsSite() {
		String[] crossSite = { "Authorization", HttpProbe.basic(this.key, "secret"), "Sec-Fetch-Site", "cross-site" };
		assertThat(get("/secured/banning", crossSite).statusCode()).isEqualTo(200);
		get("/secured/banning", crossSite);
		get("/secured/banning", crossSite);
		soon(() -> assertThat(get("/secured/banning", crossSite).statusCode()).isEqualTo(403));
	}

	@Test
	void aPageOfAnotherSiteHasNoUserBannedByCallsOfMethods() {
		requireOwnStrikes("/quotes/later");
	}

	final void requireOwnStrikes(String path) {
		String[] crossSite = { "Cookie", "SESSION=any", "Sec-Fetch-Site", "cross-site" };
		assertThat(get(path, crossSite).body()).isEqualTo("quoted");
		for (int i = 0; i < 5; i++) {
			assertThat(get(path, crossSite).statusCode()).isEqualTo(429);
		}
		String[] own = { "Cookie", "SESSION=any", "Sec-Fetch-Site", "same-origin" };
		get(path, own);
		get(path, own);
		soon(() -> assertThat(get(path, crossSite).statusCode()).isEqualTo(403));
	}

	@Test
	void callsOfMethodsOutsideOfRequestsHaveNoUserBanned() {
		Mono<String> call = this.quotes.later()
			.contextWrite(ReactiveSecurityContextHolder.withAuthentication(ReactionApplication.Quotes.token(this.key)));
		assertThat(call.block()).isEqualTo("quoted");
		for (int i = 0; i < 5; i++) {
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(call::block)
				.satisfies((rejection) -> assertThat(rejection.decision().reason()).isEqualTo(Reason.LIMIT_EXCEEDED));
		}
	}

	@Test
	void proxiesAndClientsOnTheAllowListAreNeverBanned() {
		for (int i = 0; i < 10; i++) {
			get("/banning");
			assertThat(from("198.51.100.7", "/banning").statusCode()).isEqualTo(200);
		}
		assertThat(get("/banning").statusCode()).isEqualTo(429);
		assertThat(this.bans.active()).noneMatch((ban) -> ban.subject().contains("127.0.0.1"))
			.noneMatch((ban) -> ban.subject().contains("198.51.100.7"));
	}

	@Test
	void aPausedRuleRejectsUntilThen() {
		this.limiter.pause("banning", "ip:192.0.2.1", Duration.ofMinutes(5)).block();
		this.limiter.pause("banning", "ip:192.0.2.1", Duration.ofMinutes(1)).block();
		Reply paused = from("192.0.2.1", "/banning");
		assertThat(paused.statusCode()).isEqualTo(429);
		assertThat(Integer.parseInt(paused.header("Retry-After"))).isBetween(290, 300);
		Decision decision = this.limiter.acquireBlocking("banning", "ip:192.0.2.1");
		assertThat(decision.reason()).isEqualTo(Reason.PAUSED);
		assertThat(decision.verdicts().get(0).outcome()).isEqualTo(Outcome.PAUSED);
	}

	@Test
	void aLiftedBanLetsTheClientIn() {
		String address = address();
		String subject = "ip:" + address;
		this.bans.impose("banning", subject, BanKind.BAN, Duration.ofMinutes(5), "ann").join();
		assertThat(from(address, "/banning").statusCode()).isEqualTo(403);
		assertThat(this.bans.lift("banning", subject, "ann").join()).isTrue();
		assertThat(from(address, "/banning").statusCode()).isEqualTo(200);
		assertThat(this.bans.lift("banning", subject, "ann").join()).isFalse();
	}

	@Test
	void aRejectionInATarpitIsSentLater() {
		assertThat(get("/tarpit").statusCode()).isEqualTo(404);
		long begin = System.nanoTime();
		Reply rejected = get("/tarpit");
		assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(Duration.ofMillis(160));
		assertThat(rejected.statusCode()).isEqualTo(429);
		assertThat(rejected.body()).contains("\"violated-policies\":[\"tarpit\"]");
		assertThat(rejected.header("Content-Length")).isEqualTo(String.valueOf(rejected.body().length()));
	}

	@Test
	void aRuleThatRejectsPrevailsOverOneThatDegrades() {
		assertThat(get("/degraded/both").body()).isEqualTo("all");
		assertThat(get("/degraded/both").body()).isEqualTo("less");
		Reply rejected = get("/degraded/both");
		assertThat(rejected.statusCode()).isEqualTo(429);
		assertThat(rejected.body()).contains("\"violated-policies\":[\"rejecting\"]");
	}

}
