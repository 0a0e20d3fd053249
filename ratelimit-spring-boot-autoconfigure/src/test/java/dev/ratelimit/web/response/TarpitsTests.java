package dev.ratelimit.web.response;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.Decision;
import dev.ratelimit.ExcessPolicy;
import dev.ratelimit.RuleCharge;
import dev.ratelimit.RuleMode;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.rule.RuleOptions;
import dev.ratelimit.rule.Tarpit;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.test.Engines;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TarpitsTests {

	private final List<Duration> delays = new ArrayList<>();

	private final List<Runnable> ends = new ArrayList<>();

	private final Tarpits tarpits = new Tarpits((delay, end) -> {
		this.delays.add(delay);
		this.ends.add(end);
	});

	private static Tarpits.Delay delay(String rule, Duration delay, int max) {
		return new Tarpits.Delay(rule, new Tarpit(delay, max));
	}

	private boolean isDelayed(Tarpits.Delay delay) {
		return this.tarpits.enter(delay).filter((over) -> !over.isDone()).isPresent();
	}

	@Test
	void rejectionWithoutFreePlaceIsSentAtOnce() {
		Tarpits.Delay delay = delay("login", Duration.ofSeconds(5), 2);
		Optional<CompletableFuture<Void>> first = this.tarpits.enter(delay);
		assertThat(isDelayed(delay)).isTrue();
		assertThat(this.tarpits.enter(delay)).isEmpty();
		assertThat(isDelayed(delay("other", Duration.ofSeconds(5), 2))).as("places of another rule").isTrue();
		this.ends.get(0).run();
		assertThat(first).hasValueSatisfying((over) -> assertThat(over).isCompleted());
		assertThat(isDelayed(delay)).isTrue();
		assertThat(this.tarpits.enter(delay)).isEmpty();
	}

	@Test
	void delaysDifferByAFifthAndAreNeverTooLong() {
		for (int i = 0; i < 200; i++) {
			isDelayed(delay("login", Duration.ofSeconds(10), 1000));
		}
		assertThat(this.delays).allSatisfy((delay) -> assertThat(delay.toMillis()).isBetween(8000L, 12_000L))
			.anySatisfy((delay) -> assertThat(delay.toMillis()).isLessThan(9500))
			.anySatisfy((delay) -> assertThat(delay.toMillis()).isGreaterThan(10_500));
		this.delays.clear();
		for (int i = 0; i < 20; i++) {
			isDelayed(delay("slow", Duration.ofSeconds(30), 1000));
		}
		assertThat(this.delays).allSatisfy((delay) -> assertThat(delay.toMillis()).isBetween(24_000L, 30_000L));
	}

	@Test
	void allAreSentWhenTheApplicationStops() {
		Tarpits.Delay delay = delay("login", Duration.ofSeconds(5), 2);
		CompletableFuture<Void> held = this.tarpits.enter(delay).orElseThrow();
		this.tarpits.close();
		assertThat(held).isCompleted();
		assertThat(isDelayed(delay)).isFalse();
		this.tarpits.open();
		assertThat(isDelayed(delay)).isTrue();
		assertThat(isDelayed(delay)).isTrue();
		this.ends.forEach(Runnable::run);
		assertThat(isDelayed(delay)).isTrue();
	}

	@Test
	void onlyWhatExceedsALimitOfSuchARuleIsDelayed() {
		RuleBuilder tarred = RuleBuilder.rule("tarred").limits("1/h").with(RuleOptions.ON_EXCESS, ExcessPolicy.TARPIT);
		RuleBuilder plain = RuleBuilder.rule("plain").limits("1/h");
		assertThat(Tarpits.of(denied(plain.build(), tarred.build()))).map(Tarpits.Delay::rule).contains("tarred");
		assertThat(Tarpits.of(denied(tarred.build()))).map(Tarpits.Delay::tarpit).contains(Tarpit.DEFAULT);
		assertThat(Tarpits.of(denied(plain.build()))).isEmpty();
		assertThat(Tarpits.of(denied(plain.build(), tarred.mode(RuleMode.SHADOW).build()))).isEmpty();
		assertThat(Tarpits.of(RequestProgress.of(Decision.UNMATCHED))).isEmpty();
	}

	private static RequestProgress denied(Rule... rules) {
		RateLimitEngine engine = Engines.of(new MemoryLimitStore(100, () -> 1000));
		engine.editions().adopt(List.of(rules));
		List<RuleCharge> charges = List.of(rules).stream().map((rule) -> RuleCharge.of(rule.id(), "ann")).toList();
		engine.acquire(charges).block();
		Decision second = engine.acquire(charges).blockOptional().orElseThrow();
		assertThat(second.allowed()).isFalse();
		return RequestProgress.in(engine.editions().current()).rejected(second);
	}

}
