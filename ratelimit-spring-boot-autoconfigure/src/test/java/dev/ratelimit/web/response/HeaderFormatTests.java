package dev.ratelimit.web.response;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.ratelimit.Decision;
import dev.ratelimit.Limit;
import dev.ratelimit.Outcome;
import dev.ratelimit.Policy;
import dev.ratelimit.Reason;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import dev.ratelimit.test.Limits;
import dev.ratelimit.web.response.HeaderSettings.Format;
import dev.ratelimit.web.response.HeaderSettings.OnSuccess;
import dev.ratelimit.web.response.HeaderSettings.Reset;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

class HeaderFormatTests {

	private static final long NOW = 1_795_255_000_123L;

	private static final Verdict MINUTE = verdict("minute", 100, 60, 42, 0, 29_877, 29_877);

	private static final Verdict SECOND = verdict("second", 50, 1, 30, 0, 400, 400);

	private static final Verdict EMPTY = verdict("empty", 10, 60, 0, 5200, 60_000, 5200);

	@Test
	void draft6TellsTheWindowOfWhichTheLeastRemains() {
		assertThat(fields(settings(Format.DRAFT_6), MINUTE, SECOND)).containsExactly(
				entry("RateLimit-Policy", "100;w=60, 50;w=1"), entry("RateLimit-Limit", "50"),
				entry("RateLimit-Remaining", "30"), entry("RateLimit-Reset", "1"));
	}

	@Test
	void draft7TellsTheSameAsADictionary() {
		assertThat(fields(settings(Format.DRAFT_7), MINUTE)).containsExactly(entry("RateLimit-Policy", "100;w=60"),
				entry("RateLimit", "limit=100, remaining=42, reset=30"));
	}

	@Test
	void rejectionInOlderDraftsIsToldLikeRetryAfter() {
		assertThat(fields(settings(Format.DRAFT_6), SECOND, EMPTY)).contains(entry("RateLimit-Limit", "10"),
				entry("RateLimit-Remaining", "0"), entry("RateLimit-Reset", "6"), entry("Retry-After", "6"));
		assertThat(fields(settings(Format.DRAFT_7), SECOND, EMPTY)).contains(
				entry("RateLimit", "limit=10, remaining=0, reset=6"), entry("RateLimit-Policy", "50;w=1, 10;w=60"),
				entry("Retry-After", "6"));
	}

	@Test
	void olderDraftsHaveNoPolicyWithoutAWindow() {
		Policy policy = new Policy("slots", "slots", Limits.concurrent(20, Duration.ofMinutes(1)),
				Policy.Unit.CONCURRENT_REQUESTS, false);
		Verdict slots = new Verdict(policy, Outcome.ALLOWED, 1, 3, 0, 0, 0);
		assertThat(fields(settings(Format.DRAFT_6), slots)).containsOnlyKeys("RateLimit-Limit", "RateLimit-Remaining",
				"RateLimit-Reset");
		assertThat(fields(settings(Format.DRAFT_6), slots, MINUTE)).containsEntry("RateLimit-Policy", "100;w=60");
		assertThat(fields(settings(Format.DRAFT_7), verdict("fast", 5, 0, 4, 0, 100, 100)))
			.containsEntry("RateLimit-Policy", "5;w=1");
	}

	@Test
	void draftAndLegacyAreTheHalvesOfBoth() {
		Map<String, String> both = fields(settings(Format.BOTH), MINUTE, SECOND);
		Map<String, String> halves = fields(settings(Format.DRAFT), MINUTE, SECOND);
		assertThat(halves).containsOnlyKeys("RateLimit-Policy", "RateLimit");
		halves.putAll(fields(settings(Format.LEGACY), MINUTE, SECOND));
		assertThat(both).isEqualTo(halves).hasSize(5);
	}

	@Test
	void noneStillSaysWhenToRetry() {
		assertThat(fields(settings(Format.NONE), MINUTE)).isEmpty();
		assertThat(fields(settings(Format.NONE), EMPTY)).containsOnly(entry("Retry-After", "6"),
				entry("Cache-Control", "no-store"));
	}

	@Test
	void resetMayBeAWaitAndTheRuleMayBeNamed() {
		HeaderSettings settings = new HeaderSettings(Format.LEGACY, HeaderNames.DEFAULT, OnSuccess.ALWAYS, true,
				Reset.DELTA, false, false);
		assertThat(fields(settings, MINUTE)).containsOnly(entry("X-RateLimit-Limit", "100"),
				entry("X-RateLimit-Remaining", "42"), entry("X-RateLimit-Reset", "30"),
				entry("X-RateLimit-Bucket", "minute"));
	}

	@Test
	void fieldsGoByTheNamesTheyAreGiven() {
		HeaderNames names = new HeaderNames("Left", "Rules", "Quota", "Remains", "Again", "Whose");
		HeaderSettings settings = new HeaderSettings(Format.BOTH, names, OnSuccess.ALWAYS, true, Reset.EPOCH, false,
				false);
		assertThat(fields(settings, MINUTE).keySet())
			.containsExactlyInAnyOrderElementsOf(HeaderFormat.of(settings).names())
			.containsExactly("Rules", "Left", "Quota", "Remains", "Again", "Whose");
	}

	@Test
	void compatParametersGoWithTheFirstAlone() {
		HeaderSettings settings = new HeaderSettings(Format.DRAFT, HeaderNames.DEFAULT, OnSuccess.ALWAYS, false,
				Reset.EPOCH, true, false);
		assertThat(fields(settings, MINUTE, SECOND)).containsEntry("RateLimit",
				"\"second\";r=30;t=1;compat-limit=50;compat-remaining=30;compat-reset=1, \"minute\";r=42;t=30");
	}

	@Test
	void partitionKeysGoWithBothLists() {
		List<HeaderField> fields = new ArrayList<>();
		Map<String, String> partitions = Map.of("minute", ":AAAA:");
		HeaderFormat.of(settings(Format.DRAFT))
			.write(LimitSummary.of(decision(MINUTE, SECOND), partitions, NOW, 0), fields);
		assertThat(fields).containsExactly(
				new HeaderField("RateLimit-Policy", "\"minute\";q=100;w=60;pk=:AAAA:, \"second\";q=50;w=1"),
				new HeaderField("RateLimit", "\"second\";r=30;t=1, \"minute\";r=42;t=30;pk=:AAAA:"));
	}

	@Test
	void jitterOnlyEverAddsToWaits() {
		RateLimitHeaders headers = new RateLimitHeaders(HeaderFormat.of(HeaderSettings.DEFAULT));
		Map<String, String> rejected = map(headers.fields(decision(EMPTY), Map.of(), NOW, 3));
		assertThat(rejected).contains(entry("Retry-After", "9"), entry("RateLimit", "\"empty\";r=0;t=9"),
				entry("X-RateLimit-Reset", "1795255009"));
		assertThat(map(headers.fields(decision(MINUTE), Map.of(), NOW, 3)))
			.isEqualTo(map(headers.fields(decision(MINUTE), Map.of(), NOW, 0)));
		Verdict last = verdict("last", 10, 60, 0, 0, 60_000, 5200);
		assertThat(map(headers.fields(decision(last), Map.of(), NOW, 3))).containsEntry("RateLimit",
				"\"last\";r=0;t=9");
	}

	@Test
	void jitterIsDrawnFromZeroToItsMost() {
		assertThat(new Jitter(5, (bound) -> bound - 1).seconds()).isEqualTo(5);
		assertThat(new Jitter(5, (bound) -> 0).seconds()).isZero();
		assertThat(Jitter.NONE.seconds()).isZero();
	}

	private static HeaderSettings settings(Format format) {
		HeaderNames names = (format != Format.DRAFT_6) ? HeaderNames.DEFAULT : HeaderNames.DRAFT_6;
		return new HeaderSettings(format, names, OnSuccess.ALWAYS, false, Reset.EPOCH, false, false);
	}

	private static Map<String, String> fields(HeaderSettings settings, Verdict... verdicts) {
		return map(new RateLimitHeaders(HeaderFormat.of(settings)).fields(decision(verdicts), Map.of(), NOW, 0));
	}

	private static Map<String, String> map(List<HeaderField> fields) {
		Map<String, String> map = new LinkedHashMap<>();
		fields.forEach((field) -> map.put(field.name(), field.value()));
		return map;
	}

	private static Decision decision(Verdict... verdicts) {
		boolean allowed = List.of(verdicts).stream().allMatch((verdict) -> verdict.outcome().passes());
		return new Decision(allowed, (allowed) ? Reason.WITHIN_LIMITS : Reason.LIMIT_EXCEEDED, Source.LOCAL,
				List.of(verdicts));
	}

	private static Verdict verdict(String name, long quota, int windowSeconds, long remaining, long retryMillis,
			long resetMillis, long nextMillis) {
		Duration period = (windowSeconds > 0) ? Duration.ofSeconds(windowSeconds) : Duration.ofMillis(500);
		Policy policy = new Policy(name, name, new Limit("fixed-window", quota, period, quota), Policy.Unit.REQUESTS,
				false);
		return new Verdict(policy, (retryMillis > 0) ? Outcome.REJECTED : Outcome.ALLOWED, 1, remaining, retryMillis,
				resetMillis, nextMillis);
	}

}
