package dev.ratelimit.actuate;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.ratelimit.StoreStateEvent;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.RuleFailures;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreException.Kind;
import dev.ratelimit.store.StoreStage;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.guard.GuardedLimitStore;
import dev.ratelimit.store.guard.OtherStores;
import dev.ratelimit.store.guard.RateLimitHealthIndicator;
import dev.ratelimit.store.guard.StoreMetrics;
import dev.ratelimit.test.Guards;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

import static org.assertj.core.api.Assertions.assertThat;

class StoreStateTests {

	private static final Duration NEVER_AGAIN = Duration.ofHours(1);

	private final List<StoreStateEvent> events = new CopyOnWriteArrayList<>();

	private @Nullable Kind failure;

	private final GuardedLimitStore store = Guards.of(new SilentStore(), Guards.node("silent", this::check),
			NEVER_AGAIN, this.events::add);

	private final RateLimitHealthIndicator indicator = new RateLimitHealthIndicator(this.store.status(),
			new RuleFailures(Time.SYSTEM), OtherStores.NONE);

	private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

	@AfterEach
	void close() {
		this.store.close();
	}

	private void check() {
		if (this.failure != null) {
			throw new StoreException(this.failure, "as the test wants", null);
		}
	}

	@Test
	void storeThatAnswersIsUp() {
		Health health = started(null);
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails()).containsEntry("store", "silent")
			.containsEntry("circuit", "closed")
			.doesNotContainKey("cause");
		assertThat(this.meters.get("ratelimit.store.circuit").gauge().value()).isZero();
		assertThat(this.events).isEmpty();
	}

	@Test
	void storeThatDoesNotAnswerIsDegraded() {
		Health health = started(Kind.CONNECTION);
		assertThat(health.getStatus()).isEqualTo(RateLimitHealthIndicator.DEGRADED);
		assertThat(health.getDetails()).containsEntry("circuit", "open")
			.containsEntry("cause", "connection: as the test wants");
		// The first probe is retried once, and each again if this instance was late.
		assertThat(errors("connection")).isGreaterThanOrEqualTo(2);
		assertThat(errors("script")).isZero();
		assertThat(this.meters.get("ratelimit.store.circuit").tag("store", "silent").gauge().value()).isEqualTo(2);
		Awaitility.await()
			.untilAsserted(() -> assertThat(this.events)
				.containsExactly(new StoreStateEvent("silent", "silent", false, "connection: as the test wants")));
	}

	@Test
	void storeThatRejectsScriptsIsDown() {
		Health health = started(Kind.SCRIPT);
		assertThat(health.getStatus()).isEqualTo(Status.DOWN);
		assertThat(health.getDetails()).containsEntry("cause", "script: as the test wants");
		assertThat(errors("script")).isPositive();
	}

	@Test
	void errorsAreCountedByEveryKind() {
		new StoreMetrics(this.store.status(), OtherStores.NONE).bindTo(this.meters);
		assertThat(this.meters.get("ratelimit.store.errors").functionCounters())
			.extracting((counter) -> counter.getId().getTag("kind"))
			.containsExactlyInAnyOrder("timeout", "starved", "connection", "overload", "migrating", "script", "other");
	}

	private Health started(@Nullable Kind outcome) {
		this.failure = outcome;
		this.store.start(Duration.ofSeconds(10));
		new StoreMetrics(this.store.status(), OtherStores.NONE).bindTo(this.meters);
		return this.indicator.health();
	}

	private double errors(String kind) {
		return this.meters.get("ratelimit.store.errors")
			.tags("store", "silent", "kind", kind)
			.functionCounter()
			.count();
	}

	private static final class SilentStore implements StoreStage {

		@Override
		public String name() {
			return "silent";
		}

		@Override
		public CompletableFuture<AcquireResult> acquire(AcquireRequest demand) {
			return new CompletableFuture<>();
		}

		@Override
		public CompletableFuture<Void> settle(List<Settlement> settlements) {
			return new CompletableFuture<>();
		}

		@Override
		public CompletableFuture<Void> reset(List<Bucket> buckets) {
			return new CompletableFuture<>();
		}

	}

}
