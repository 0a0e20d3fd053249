package dev.ratelimit.web.response;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

import dev.ratelimit.Decision;
import dev.ratelimit.Limit;
import dev.ratelimit.Outcome;
import dev.ratelimit.Policy;
import dev.ratelimit.Reason;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import dev.ratelimit.algorithm.Wait;
import dev.ratelimit.test.clients.ClientPrograms;
import dev.ratelimit.web.response.HeaderSettings.Format;
import dev.ratelimit.web.response.HeaderSettings.OnSuccess;
import dev.ratelimit.web.response.HeaderSettings.Reset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the fields of thousands of responses with independent parsers, in every format.
 */
@Tag("long")
class HeaderParsersTests {

	private static final long NOW = 1_795_255_000_123L;

	private static final int RESPONSES = 400;

	private final SplittableRandom random = new SplittableRandom(7);

	private final List<Response> responses = new ArrayList<>();

	@Test
	void everyFieldParsesAndMeansWhatTheDecisionSays(@TempDir Path directory) throws IOException {
		for (Format format : Format.values()) {
			for (int i = 0; i < RESPONSES; i++) {
				this.responses.add(response(format));
			}
		}
		Path file = directory.resolve("responses");
		Files.write(file, this.responses.stream().map(Response::json).toList());
		List<String> answers = ClientPrograms.node("parse.mjs", file.toString());
		assertThat(answers).hasSameSizeAs(this.responses);
		for (int i = 0; i < answers.size(); i++) {
			check(this.responses.get(i), JsonMapper.shared().readTree(answers.get(i)));
		}
	}

	private static void check(Response response, JsonNode answer) {
		assertThat(answer.get("error").asString("")).isEmpty();
		if (!response.readable()) {
			return;
		}
		JsonNode read = answer.get("read");
		assertThat(read.get("limit").asLong()).as(response.json()).isEqualTo(response.binding().policy().capacity());
		assertThat(read.get("remaining").asLong()).as(response.json()).isEqualTo(response.binding().remaining());
		long wait = response.standing.resetSeconds(response.binding());
		if (response.settings.format() == Format.LEGACY && !response.headers.containsKey("X-RateLimit-Reset")) {
			assertThat(read.get("resetEpochSeconds").isNull()).isTrue();
		}
		else if (response.settings.format() == Format.LEGACY && response.settings.reset() == Reset.EPOCH) {
			assertThat(read.get("resetEpochSeconds").asLong())
				.isEqualTo(response.standing.resetEpochSeconds(response.binding()));
		}
		else {
			assertThat(read.get("resetInSeconds").asLong()).isBetween(wait - 1, wait);
		}
	}

	private Response response(Format format) {
		boolean legacy = format == Format.LEGACY || format == Format.BOTH;
		boolean draft = format == Format.DRAFT || format == Format.BOTH;
		HeaderSettings settings = new HeaderSettings(format,
				(format != Format.DRAFT_6) ? HeaderNames.DEFAULT : HeaderNames.DRAFT_6, OnSuccess.ALWAYS,
				legacy && this.random.nextBoolean(), (legacy && this.random.nextBoolean()) ? Reset.DELTA : Reset.EPOCH,
				draft && this.random.nextBoolean(), false);
		Decision decision = decision();
		Map<String, String> partitions = (draft && this.random.nextBoolean()) ? Map.of("p0", ":AAECAwQFBgcICQoL:")
				: Map.of();
		long jitter = this.random.nextLong(4);
		List<HeaderField> fields = new RateLimitHeaders(HeaderFormat.of(settings)).fields(decision, partitions, NOW,
				jitter);
		Map<String, String> headers = new LinkedHashMap<>();
		fields.forEach((field) -> headers.put(field.name(), field.value()));
		return new Response(settings, LimitSummary.of(decision, partitions, NOW, jitter), headers);
	}

	private Decision decision() {
		boolean rejected = this.random.nextInt(3) == 0;
		List<Verdict> verdicts = new ArrayList<>();
		for (int i = 0; i <= this.random.nextInt(3); i++) {
			verdicts.add(verdict("p" + i, rejected && (i == 0 || this.random.nextBoolean())));
		}
		return new Decision(!rejected, (rejected) ? Reason.LIMIT_EXCEEDED : Reason.WITHIN_LIMITS, Source.LOCAL,
				verdicts);
	}

	private Verdict verdict(String name, boolean rejected) {
		boolean concurrent = this.random.nextInt(6) == 0;
		long quota = (this.random.nextInt(9) == 0) ? 2_000_000_000_000_000L : this.random.nextLong(1, 1000);
		Limit limit = new Limit("fixed-window", quota, Duration.ofMillis(this.random.nextLong(1, 100_000_000)), quota);
		Policy.Unit unit = (concurrent) ? Policy.Unit.CONCURRENT_REQUESTS
				: (this.random.nextBoolean()) ? Policy.Unit.REQUESTS : Policy.Unit.CONTENT_BYTES;
		Policy policy = new Policy(name, name, limit, unit, false);
		long remaining = (this.random.nextInt(3) == 0) ? 0 : this.random.nextLong(quota + 1);
		long next = (remaining == quota || concurrent) ? 0 : this.random.nextLong(1, 100_000);
		long retry = (!rejected) ? 0 : (this.random.nextInt(5) == 0) ? Wait.NEVER : this.random.nextLong(1, 100_000);
		return new Verdict(policy, (rejected) ? Outcome.REJECTED : Outcome.ALLOWED, 1, remaining, retry,
				(remaining == quota) ? 0 : next * 2, next);
	}

	/**
	 * A response with rate limit fields.
	 */
	private record Response(HeaderSettings settings, LimitSummary standing, Map<String, String> headers) {

		String json() {
			return JsonMapper.shared()
				.writeValueAsString(Map.of("format", this.settings.format().name(), "headers", this.headers));
		}

		// The parser supports drafts 8 and later only with compatibility parameters, and
		// the fields limit numbers to the range of structured fields.
		boolean readable() {
			return this.settings.format() != Format.NONE && binding().policy().capacity() <= DraftFormat.MAX_INTEGER
					&& (this.settings.compatParams() || !this.headers.containsKey("RateLimit")
							|| this.settings.format() == Format.DRAFT_7);
		}

		Verdict binding() {
			boolean older = this.settings.format() == Format.DRAFT_6 || this.settings.format() == Format.DRAFT_7;
			return (older) ? this.standing.least() : this.standing.binding().get(0);
		}

	}

}
