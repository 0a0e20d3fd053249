package dev.ratelimit.candidate;

import java.util.List;
import java.util.Map;
import java.util.Random;

import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the counts of a candidate equal the decisions of a second application with
 * the rules of the candidate.
 */
@Tag("long")
@Tag("nightly")
@RedisTest
class CandidateDifferentialTests {

	private static final int REQUESTS = 400;

	private static final String EXACT = "--ratelimit.deadline=5s";

	/**
	 * Disables remembered rejections, which are faster than the evaluation of the
	 * candidate.
	 */
	private static final String FORGETFUL = "--ratelimit.denial-memory=0s";

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			60/d  | 35/d
			35/d  | 60/d
			60/d  | 0/min
			60/d  | unlimited
			40/d  | 55/h
			""")
	void theCountsAreThoseOfASecondApplication(String active, String candidate, TestRedis redis) {
		try (CandidateApplication first = new CandidateApplication(redis, "first", EXACT, FORGETFUL,
				"--ratelimit.rules.search.limit=" + active);
				CandidateApplication second = new CandidateApplication(redis, "second", EXACT, FORGETFUL,
						"--ratelimit.rules.search.limit=" + candidate)) {
			first.candidate("search", Map.of("limit", candidate));
			long[] expected = new long[3];
			Random random = new Random(42);
			for (int i = 0; i < REQUESTS; i++) {
				String subject = "user:" + random.nextInt(4);
				long cost = 1 + random.nextInt(2);
				boolean both = random.nextInt(4) == 0;
				boolean now = allowed(first, subject, cost, both);
				boolean then = allowed(second, subject, cost, both);
				expected[(now == then) ? 0 : (now) ? 1 : 2]++;
			}
			List<Long> wanted = List.of(expected[0], expected[1], expected[2], 0L);
			Awaitility.await().untilAsserted(() -> assertThat(first.counts("search")).isEqualTo(wanted));
			assertThat(first.counts("other")).as("a rule that does not change").containsOnly(0L);
			assertThat(expected[0]).as("a comparison that can fail").isBetween(1L, REQUESTS - 1L);
		}
	}

	private static boolean allowed(CandidateApplication application, String subject, long cost, boolean both) {
		return ((both) ? application.chargeBoth(subject, cost) : application.charge("search", subject, cost)).allowed();
	}

}
