package dev.ratelimit.web;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

import dev.ratelimit.Decision;
import dev.ratelimit.engine.IdempotencySettings;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.gate.Completion;
import dev.ratelimit.gate.Passage;
import dev.ratelimit.header.HeaderNames;
import dev.ratelimit.header.HeaderSettings;
import dev.ratelimit.header.Jitter;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.web.refusal.ProblemTexts;
import dev.ratelimit.web.refusal.RefusalResponse;
import dev.ratelimit.web.refusal.RefusalStatus;
import dev.ratelimit.web.refusal.Refusals;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

class ResponseWriterTests {

	private final RateLimitEngine engine = new RateLimitEngine(new MemoryLimitStore(100, () -> 60_000_000_000L),
			Duration.ofSeconds(1), "secret", IdempotencySettings.DEFAULT, List.of());

	@BeforeEach
	void use() {
		this.engine.editions()
			.adopt(List.of(Rule.builder("a").limits("1/min").build(), Rule.builder("never").limits("0/min").build()));
	}

	@Test
	void whereAdmittedRequestsAreToldNothingRefusalsStillAre() {
		ResponseWriter silent = new ResponseWriter(InstantSource.system(),
				new HeaderSettings(HeaderSettings.Format.LEGACY, HeaderNames.DEFAULT, HeaderSettings.OnSuccess.NEVER,
						false, HeaderSettings.Reset.EPOCH, false),
				Jitter.NONE);
		assertThat(silent.fields(passage("a"))).isEmpty();
		assertThat(refused(silent, "a").headers()).containsKeys("X-RateLimit-Remaining", "Retry-After");
	}

	@Test
	void bodyAndFieldsOfARefusalTellTheSameWait() {
		ResponseWriter spreading = new ResponseWriter(InstantSource.system(), HeaderSettings.DEFAULT,
				new Jitter(7, (bound) -> bound - 1));
		passage("a");
		RefusalResponse refusal = refused(spreading, "a");
		assertThat(refusal.headers()).contains(entry("Retry-After", "67"), entry("RateLimit", "\"a\";r=0;t=67"));
		assertThat(new String(refusal.body(), StandardCharsets.UTF_8)).contains("Retry in 67 seconds.");
		assertThat(refused(spreading, "never").headers()).doesNotContainKey("Retry-After");
	}

	private RefusalResponse refused(ResponseWriter writer, String ruleId) {
		return new Refusals(new RefusalStatus(this.engine.editions()), writer, ProblemTexts.ENGLISH,
				(refusal, request) -> refusal)
			.refused(passage(ruleId), FakeRequest.get("/"), "/");
	}

	private Passage passage(String ruleId) {
		Decision decision = this.engine.acquire(ruleId, "user:a").blockOptional().orElseThrow();
		return Passage.START.decided(decision, 0, Completion.NONE);
	}

}
