package dev.ratelimit.live;

import java.util.List;
import java.util.OptionalLong;

import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Time;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that a starting instance takes over the usage of clients under the previous
 * limits, as running instances do.
 */
class FormerDocumentsTests {

	private final LiveApplication application = new LiveApplication("search", "100/min", "login", "5/min");

	private final MemoryRuleSource source = new MemoryRuleSource();

	@AfterEach
	void close() {
		this.application.close();
	}

	@Test
	void anInstanceThatStartsKnowsTheLimitsBefore() {
		put(this.source, 200, 300);
		this.application.follow(this.source);
		assertThat(this.application.limit("search")).isEqualTo("300/min");
		assertThat(former("search")).containsExactly("200/min", "100/min");
		assertThat(former("login")).isEmpty();
		assertThat(family().hasUsedFormers(Time.SYSTEM.nanos())).isTrue();
		// Events are delivered in order, on a separate thread.
		Awaitility.await().until(() -> !this.application.events.isEmpty());
		assertThat(this.application.events.get(0).version()).as("only the newest was active").isEqualTo(2);
	}

	@Test
	void itKnowsTheLastFour() {
		put(this.source, 200, 300, 400, 500, 600, 700);
		this.application.follow(this.source);
		assertThat(former("search")).containsExactly("600/min", "500/min", "400/min", "300/min");
	}

	@Test
	void aLimitThatChangedLongerAgoThanABucketFillsIsNotLookedAt() {
		MemoryRuleSource hourLater = at(3_600_000);
		put(hourLater, 200, 300);
		this.application.follow(hourLater);
		assertThat(former("search")).containsExactly("200/min", "100/min");
		assertThat(family().hasUsedFormers(Time.SYSTEM.nanos())).isFalse();
	}

	@Test
	void aLimitThatChangedJustNowIsLookedAtForAsLongAsABucketFills() {
		MemoryRuleSource now = at(5_000);
		put(now, 200, 300);
		this.application.follow(now);
		assertThat(family().hasUsedFormers(Time.SYSTEM.nanos() + 50_000_000_000L)).isTrue();
		assertThat(family().hasUsedFormers(Time.SYSTEM.nanos() + 61_000_000_000L)).isFalse();
	}

	@Test
	void aVersionThatWasNeverActiveHereIsLeftOut() {
		put(this.source, 200);
		this.source.put("rules: {search: {limit: soon}}");
		put(this.source, 300);
		this.application.follow(this.source);
		assertThat(former("search")).containsExactly("200/min", "100/min");
	}

	@Test
	void ifTheNewestIsRejectedTheFormerOneKnowsThoseBeforeIt() {
		put(this.source, 200, 300);
		this.source.put("rules: {search: {limit: soon}}");
		this.application.follow(this.source);
		assertThat(this.application.limit("search")).isEqualTo("300/min");
		assertThat(former("search")).containsExactly("200/min", "100/min");
	}

	@Test
	void anInstanceThatMissedVersionsKnowsThem() throws Exception {
		LiveRules live = this.application.follow(this.source);
		put(this.source, 200);
		this.application.settle();
		live.stop();
		put(this.source, 300, 400);
		live.start();
		this.application.settle();
		assertThat(this.application.limit("search")).isEqualTo("400/min");
		assertThat(former("search")).containsExactly("300/min", "200/min", "100/min");
	}

	@Test
	void aSourceWhoseHistoryCannotBeReadIsFollowedAllTheSame() {
		MemoryRuleSource forgetful = new MemoryRuleSource() {

			@Override
			public List<RuleVersion> history(int max) {
				throw new RuleSourceException("timeout", new IllegalStateException());
			}

		};
		put(forgetful, 200, 300);
		this.application.follow(forgetful);
		assertThat(this.application.limit("search")).isEqualTo("300/min");
		assertThat(former("search")).isEmpty();
	}

	// All documents of this source were written at the epoch.
	private static MemoryRuleSource at(long nowMillis) {
		return new MemoryRuleSource() {

			@Override
			public OptionalLong nowMillis() {
				return OptionalLong.of(nowMillis);
			}

		};
	}

	private static void put(MemoryRuleSource source, int... limits) {
		for (int limit : limits) {
			source.put("rules: {search: {limit: " + limit + "/min}}");
		}
	}

	private List<String> former(String rule) {
		return family(rule).formers()
			.stream()
			.map((former) -> former.family().policy().limit().orElseThrow().toString())
			.toList();
	}

	private BucketFamily family() {
		return family("search");
	}

	private BucketFamily family(String rule) {
		return this.application.editions.current().required(rule).own().families().get(0);
	}

}
