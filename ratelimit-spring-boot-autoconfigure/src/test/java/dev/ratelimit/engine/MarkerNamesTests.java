package dev.ratelimit.engine;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.store.ReplayMarker;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class MarkerNamesTests {

	private static final CompiledRule PAY = CompiledRule.of(RuleBuilder.rule("pay").limits("1/s").idempotency().build(),
			RegionTerms.NONE);

	private static final CompiledRule SEND = CompiledRule
		.of(RuleBuilder.rule("send").limits("1/s").idempotency().build(), RegionTerms.NONE);

	private static final CompiledRule PLAIN = CompiledRule.of(RuleBuilder.rule("plain").limits("1/s").build(),
			RegionTerms.NONE);

	private static final RetryKey RETRY = new RetryKey("k-1", "POST /pay");

	private final MarkerNames names = new MarkerNames("secret", IdempotencySettings.DEFAULT);

	@Test
	void retriesOfOneRequestHaveOneMarker() {
		assertThat(id(use(PAY, "user:a"), RETRY)).isEqualTo(id(use(PAY, "user:a"), RETRY));
	}

	@Test
	void anotherCallerOperationKeyOrRuleHasAnotherMarker() {
		assertThat(List.of(id(use(PAY, "user:a"), RETRY), id(use(PAY, "user:b"), RETRY), id(use(SEND, "user:a"), RETRY),
				id(use(PAY, "user:a"), new RetryKey("k-2", "POST /pay")),
				id(use(PAY, "user:a"), new RetryKey("k-1", "POST /pay/2"))))
			.doesNotHaveDuplicates();
	}

	@Test
	void anotherSecretGivesOtherNames() {
		MarkerNames others = new MarkerNames("other", IdempotencySettings.DEFAULT);
		assertThat(others.marker(List.of(use(PAY, "user:a")), RETRY)).map(ReplayMarker::id)
			.isNotEqualTo(this.names.marker(List.of(use(PAY, "user:a")), RETRY).map(ReplayMarker::id));
	}

	@Test
	void partsAreDelimited() {
		assertThat(id(use(PAY, "a"), new RetryKey("c", "ab"))).isNotEqualTo(id(use(PAY, "a"), new RetryKey("bc", "a")));
		assertThat(id(use(PAY, "ab"), new RetryKey("k", "c"))).isNotEqualTo(id(use(PAY, "a"), new RetryKey("k", "bc")));
		assertThat(id(use(PAY, "a"), new RetryKey("", "ab"))).isNotEqualTo(id(use(PAY, "a"), new RetryKey("ab", "")));
		String zeros = "\u0000".repeat(4);
		assertThat(id(use(PAY, "a"), new RetryKey("c", "a" + zeros + "b")))
			.isNotEqualTo(id(use(PAY, "a"), new RetryKey("b" + zeros + "c", "a")));
	}

	@Test
	void onlyRulesThatOptedInCount() {
		assertThat(this.names.marker(List.of(use(PLAIN, "user:a")), RETRY)).isEmpty();
		Optional<ReplayMarker> both = this.names.marker(List.of(use(PLAIN, "global"), use(PAY, "user:a")), RETRY);
		assertThat(both).map(ReplayMarker::owner).hasValue("user:a");
		assertThat(both).map(ReplayMarker::id).hasValue(id(use(PAY, "user:a"), RETRY));
	}

	@Test
	void markerTellsNeitherKeyNorOperation() {
		assertThat(id(use(PAY, "user:a"), RETRY)).doesNotContain("k-1", "pay", "user").matches("[A-Za-z0-9_-]{43}");
	}

	@Test
	void markerCarriesTheSettings() {
		MarkerNames brief = new MarkerNames("secret", new IdempotencySettings(Duration.ofSeconds(5), 2, 7));
		assertThat(brief.marker(List.of(use(PAY, "user:a")), RETRY)).hasValueSatisfying((marker) -> {
			assertThat(marker.ttlMillis()).isEqualTo(5000);
			assertThat(marker.maxReplays()).isEqualTo(2);
			assertThat(marker.maxMarkers()).isEqualTo(7);
		});
	}

	@Test
	void settingsOutOfRangeAreRejected() {
		Duration day = Duration.ofHours(24);
		assertThatIllegalArgumentException().isThrownBy(() -> new IdempotencySettings(day.plusMillis(1), 1, 1))
			.withMessageContaining("24 h");
		assertThatIllegalArgumentException().isThrownBy(() -> new IdempotencySettings(Duration.ZERO, 1, 1));
		assertThatIllegalArgumentException().isThrownBy(() -> new IdempotencySettings(day, 1000, 1))
			.withMessageContaining("999");
		assertThatIllegalArgumentException().isThrownBy(() -> new IdempotencySettings(day, -1, 1));
		assertThatIllegalArgumentException().isThrownBy(() -> new IdempotencySettings(day, 1, 0));
	}

	private String id(AppliedRule use, RetryKey retry) {
		return this.names.marker(List.of(use), retry).orElseThrow().id();
	}

	private static AppliedRule use(CompiledRule rule, String subject) {
		return AppliedRule.of(rule, subject, 1);
	}

}
