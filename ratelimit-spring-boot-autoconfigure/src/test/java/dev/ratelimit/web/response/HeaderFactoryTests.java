package dev.ratelimit.web.response;

import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;

import dev.ratelimit.Decision;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.gate.Completion;
import dev.ratelimit.gate.Delay;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.test.Engines;
import dev.ratelimit.web.FakeRequest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

class HeaderFactoryTests {

	private final RateLimitEngine engine = Engines.of(new MemoryLimitStore(100, () -> 60_000_000_000L));

	@BeforeEach
	void use() {
		this.engine.editions()
			.adopt(List.of(RuleBuilder.rule("a").limits("1/min").build(),
					RuleBuilder.rule("never").limits("0/min").build()));
	}

	@Test
	void rejectionsKeepHeadersWithoutHeadersOnSuccess() {
		HeaderFactory silent = new HeaderFactory(InstantSource.system(),
				new HeaderSettings(HeaderSettings.Format.LEGACY, HeaderNames.DEFAULT, HeaderSettings.OnSuccess.NEVER,
						false, HeaderSettings.Reset.EPOCH, false, false),
				Jitter.NONE);
		assertThat(silent.fields(progress("a"))).isEmpty();
		assertThat(rejected(silent, "a").headers()).containsKeys("X-RateLimit-Remaining", "Retry-After");
	}

	@Test
	void bodyAndFieldsOfARejectionTellTheSameWait() {
		HeaderFactory spreading = new HeaderFactory(InstantSource.system(), HeaderSettings.DEFAULT,
				new Jitter(7, (bound) -> bound - 1));
		progress("a");
		RejectionResponse rejection = rejected(spreading, "a");
		assertThat(rejection.headers()).contains(entry("Retry-After", "67"), entry("RateLimit", "\"a\";r=0;t=67"));
		assertThat(new String(rejection.body(), StandardCharsets.UTF_8)).contains("Retry in 67 seconds.");
		assertThat(rejected(spreading, "never").headers()).doesNotContainKey("Retry-After");
	}

	private RejectionResponse rejected(HeaderFactory headers, String ruleId) {
		return new RejectionFactory(new RejectionStatus(this.engine.editions()), headers, ProblemTexts.ENGLISH,
				(rejection, request) -> rejection, this.engine.requests())
			.rejected(progress(ruleId), FakeRequest.get("/"), "/");
	}

	private RequestProgress progress(String ruleId) {
		Decision decision = this.engine.acquire(ruleId, "user:a").blockOptional().orElseThrow();
		return RequestProgress.START.decided(decision, 0, Completion.NONE,
				Delay.of(decision, List.of(), System::nanoTime));
	}

}
