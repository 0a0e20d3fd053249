package dev.ratelimit.fault;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

import dev.ratelimit.Decision;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.Source;
import dev.ratelimit.http.HttpProbe;
import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests clients that choose names with special characters or of extreme length.
 */
@Tag("long")
@Tag("nightly")
@RedisTest
class HostileClientsTests {

	private static final String PREFIX = "rl:hostile";

	private static final List<String> HOSTILE = List.of("}", "{", "a}:closed{b", "{}", "}{", "a:b:c",
			"rl:hostile:{a}:closed", "a\r\nDEL x", "a\nb", "a\0b", "\u007f", "%7d", "%257d", "|", "~none", "~sha256:x",
			"é", "\ud83d\ude00", "a b", "*", "?", "[a]", "x".repeat(129), "x".repeat(100_000), "}".repeat(600));

	@Test
	void eachHasAKeyOfItsOwnAndNoneLeavesThePrefixOrTheHashTag(TestRedis redis) {
		try (Instance instance = start(redis)) {
			RateLimiter limiter = instance.bean(RateLimiter.class);
			// Code uses canonical names of subjects, and this one equals that of "}".
			List<String> names = HOSTILE.stream().filter((name) -> !name.equals("%7d")).toList();
			for (String name : names) {
				Decision decision = limiter.acquire("closed", "header:" + name).block(Duration.ofSeconds(30));
				assertThat(decision.source()).isEqualTo(Source.REMOTE);
			}
			List<String> keys = buckets(redis);
			assertThat(keys).hasSameSizeAs(names).allSatisfy((key) -> {
				assertThat(key).matches("rl:hostile:\\{[^{}\\p{Cntrl} ]+}:closed\\.[^{}\\p{Cntrl} ]+");
				assertThat(key.length()).isLessThan(700);
			});
		}
	}

	@Test
	void theSameHoldsForHeaders(TestRedis redis) {
		try (Instance instance = start(redis)) {
			HttpProbe http = new HttpProbe(instance.port());
			List<String> names = HOSTILE.stream().filter((name) -> name.matches("[\\x20-\\x7e]{1,4000}")).toList();
			names.forEach((name) -> assertThat(http.get("/closed", "X-Caller", name).statusCode()).isEqualTo(200));
			assertThat(buckets(redis)).hasSameSizeAs(names)
				.allMatch((key) -> key.matches("rl:hostile:\\{header:[^{} ]+}:closed\\.[^{} ]+"));
		}
	}

	@Test
	void noCallerIsPartOfAScript(TestRedis redis) {
		try (Instance instance = start(redis)) {
			RateLimiter limiter = instance.bean(RateLimiter.class);
			limiter.acquire("closed", "header:first").block();
			String scripts = redis.info("number_of_cached_scripts");
			Set<Source> sources = new HashSet<>();
			IntStream.range(0, 500)
				.forEach((number) -> sources.add(limiter.acquire("closed", "header:" + number).block().source()));
			assertThat(sources).containsExactly(Source.REMOTE);
			assertThat(redis.info("number_of_cached_scripts")).isEqualTo(scripts);
		}
	}

	private static List<String> buckets(TestRedis redis) {
		return redis.command("KEYS", "*").lines().filter((key) -> key.contains("}:closed.")).toList();
	}

	private static Instance start(TestRedis redis) {
		String[] address = Instance.redis(redis.host(), redis.port());
		return Instance.start(WebApplicationType.SERVLET, address[0], address[1], "--ratelimit.deadline=20s",
				"--ratelimit.redis.key-prefix=" + PREFIX);
	}

}
