package dev.ratelimit.telemetry;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.BanKind;
import dev.ratelimit.DecisionEventSink;
import dev.ratelimit.Outcome;
import dev.ratelimit.RateLimitDecisionEvent;
import dev.ratelimit.Reason;
import dev.ratelimit.Source;
import dev.ratelimit.engine.AppliedRule;
import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.engine.Sanction;
import dev.ratelimit.rule.RuleBuilder;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

class DecisionEventsTests {

	private static final Instant NOON = Instant.parse("2026-07-01T12:00:00Z");

	private static final Duration PAUSE = Duration.ofMillis(20);

	private static final Duration CLOSING = Duration.ofSeconds(20);

	private final BlockingQueue<RateLimitDecisionEvent> received = new LinkedBlockingQueue<>();

	private final Editions editions = new Editions();

	/** The time is nearly fixed, so that all decisions are made within a second. */
	private final AtomicLong nanos = new AtomicLong(5_000_000_000L);

	private final CountDownLatch over = new CountDownLatch(1);

	private EventPump pump = pump(this.received::addAll);

	private RateLimitEngine engine = engine(new EventSample(1, 1, 100_000));

	private EventPump pump(DecisionEventSink... sinks) {
		return new EventPump(List.of(sinks), "pod-7", SubjectNaming.of(SubjectNames.PLAIN), System::nanoTime, PAUSE,
				CLOSING);
	}

	private RateLimitEngine engine(EventSample sample) {
		this.editions.adopt(List.of(RuleBuilder.rule("search").limits("2/h").plan("paid", "5/h", "9/d").build(),
				RuleBuilder.rule("login").limits("1/h").build()));
		return Telemetry.engine(this.editions,
				new DecisionEvents(sample, this.pump, this.editions, InstantSource.fixed(NOON), this.nanos::get),
				this.nanos::incrementAndGet);
	}

	private void use(EventSample sample, DecisionEventSink... sinks) {
		this.pump.close();
		this.pump = pump(sinks);
		this.engine = engine(sample);
	}

	@AfterEach
	void close() {
		this.over.countDown();
		this.pump.close();
	}

	private RateLimitDecisionEvent next() throws InterruptedException {
		RateLimitDecisionEvent next = this.received.poll(10, TimeUnit.SECONDS);
		assertThat(next).isNotNull();
		return next;
	}

	@Test
	void eventHasDecisionRuleAndSubject() throws Exception {
		this.engine.acquireBlocking("login", "user:1");
		RateLimitDecisionEvent event = next();
		assertThat(event.at()).isEqualTo(NOON);
		assertThat(event.instance()).isEqualTo("pod-7");
		assertThat(event.version()).isEqualTo(1);
		assertThat(event.allowed()).isTrue();
		assertThat(event.reason()).isEqualTo(Reason.WITHIN_LIMITS);
		assertThat(event.source()).isEqualTo(Source.LOCAL);
		assertThat(event.tookNanos()).isNotNegative();
		assertThat(event.parts()).containsExactly(part("login", "user:1", Outcome.ALLOWED, 0));
		this.engine.acquireBlocking("login", "user:1");
		RateLimitDecisionEvent denied = next();
		assertThat(denied.allowed()).isFalse();
		assertThat(denied.reason()).isEqualTo(Reason.LIMIT_EXCEEDED);
		assertThat(denied.parts()).containsExactly(part("login", "user:1", Outcome.REJECTED, 0));
	}

	@Test
	void eventsAreSentIfTheInstancesCannotAgreeOnNames() throws Exception {
		this.pump.close();
		this.pump = new EventPump(List.of(this.received::addAll), "pod-7", SubjectNaming.random((proposed) -> {
			throw new IllegalStateException("the connection is closed");
		}), System::nanoTime, PAUSE, CLOSING);
		this.engine = engine(new EventSample(1, 1, 100_000));
		this.engine.acquireBlocking("login", "user:1");
		assertThat(next().parts()).extracting(RateLimitDecisionEvent.Part::rule).containsExactly("login");
	}

	@Test
	void decisionsInMemoryReachListeners() throws Exception {
		this.engine.acquireBlocking("search", "user:1");
		this.engine.acquireBlocking("search", "user:1");
		assertThat(next().parts()).containsExactly(part("search", "user:1", Outcome.ALLOWED, 1));
		assertThat(next().parts()).containsExactly(part("search", "user:1", Outcome.ALLOWED, 0));
	}

	private static RateLimitDecisionEvent.Part part(String rule, String subject, Outcome outcome, long remaining) {
		return new RateLimitDecisionEvent.Part(rule, Optional.of(subject), Optional.empty(), 1, outcome,
				OptionalLong.of(remaining));
	}

	@Test
	void eachRuleHasAPartAndPlansAreNamed() throws Exception {
		CompiledRule search = this.engine.rule("search").orElseThrow();
		CompiledRule login = this.engine.rule("login").orElseThrow();
		this.engine.decide(List.of(new AppliedRule(search, search.plans().get("paid"), "user:1", 2),
				AppliedRule.of(login, "ip:192.0.2.1", 1), AppliedRule.bypassed(login)), Optional.empty(), 1)
			.join();
		List<RateLimitDecisionEvent.Part> parts = next().parts();
		assertThat(parts).hasSize(3);
		assertThat(parts.get(0)).isEqualTo(new RateLimitDecisionEvent.Part("search", Optional.of("user:1"),
				Optional.of("paid"), 2, Outcome.ALLOWED, OptionalLong.of(3)));
		assertThat(parts.get(1).subject()).contains("ip:192.0.2.1");
		assertThat(parts.get(2).subject()).isEmpty();
	}

	@Test
	void rejectionWithoutSubjectIsReported() throws Exception {
		this.engine.denyListed();
		assertThat(next().parts()).containsExactly(new RateLimitDecisionEvent.Part("*", Optional.empty(),
				Optional.empty(), 1, Outcome.DENY_LISTED, OptionalLong.empty()));
		this.engine.keyMissing(this.engine.rule("login").orElseThrow());
		assertThat(next().parts()).extracting(RateLimitDecisionEvent.Part::rule).containsExactly("login");
	}

	@ParameterizedTest
	@EnumSource(names = { "BAN", "PAUSE" })
	void theSubjectOfABanIsNamed(BanKind kind) throws Exception {
		AppliedRule banned = new Sanction(kind, 1_000_000).denial(this.engine.rule("login").orElseThrow(), "user:1", 0);
		this.engine.decide(List.of(banned), Optional.empty(), 1).join();
		assertThat(next().parts()).extracting(RateLimitDecisionEvent.Part::subject)
			.containsExactly(Optional.of("user:1"));
	}

	@Test
	void peeksReachNoListener() throws Exception {
		this.engine.acquireBlocking("login", "user:1", 0);
		this.engine.acquireBlocking("search", "user:1");
		assertThat(next().parts().get(0).rule()).isEqualTo("search");
	}

	@Test
	void onlyRejectionsAreToldByDefault() throws Exception {
		use(new EventSample(0, 1, 100), this.received::addAll);
		for (int i = 0; i < 3; i++) {
			this.engine.acquireBlocking("login", "user:1");
		}
		assertThat(next().allowed()).isFalse();
		assertThat(next().allowed()).isFalse();
		this.pump.close();
		assertThat(this.received).isEmpty();
	}

	@Test
	void eventsAboveTheRateAreDroppedAndCounted() {
		use(new EventSample(1, 1, 10), this.received::addAll);
		for (int i = 0; i < 25; i++) {
			this.engine.acquireBlocking("login", "user:1");
		}
		Awaitility.await().until(() -> this.pump.counts().sent() >= 10);
		this.pump.close();
		assertThat(this.received).hasSize(10);
		assertThat(this.pump.counts().sent()).isEqualTo(10);
		assertThat(this.pump.counts().aboveRate()).isEqualTo(15);
	}

	@Test
	void sinkThatHangsDelaysNobodyAndItsEventsAreDropped() throws Exception {
		CountDownLatch hanging = new CountDownLatch(1);
		use(new EventSample(1, 1, 100_000), (events) -> {
			hanging.countDown();
			awaitEnd();
		});
		this.engine.acquireBlocking("login", "user:1");
		assertThat(hanging.await(10, TimeUnit.SECONDS)).isTrue();
		int decisions = EventPump.CAPACITY + 300;
		for (int i = 0; i < decisions; i++) {
			this.engine.acquireBlocking("login", "user:1");
		}
		assertThat(this.pump.counts().full()).isEqualTo(300);
		assertThat(this.pump.counts().sent()).isZero();
	}

	private void awaitEnd() {
		try {
			this.over.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Test
	void sinkThatThrowsHurtsNeitherDecisionsNorOtherSinks() {
		use(new EventSample(1, 1, 100_000), (events) -> {
			throw new IllegalStateException("full disk");
		}, this.received::addAll);
		assertThat(this.engine.acquireBlocking("login", "user:1").allowed()).isTrue();
		Awaitility.await().until(() -> this.pump.counts().failed() == 1);
		this.engine.acquireBlocking("login", "user:1");
		Awaitility.await().until(() -> this.pump.counts().failed() == 2);
		assertThat(this.received).hasSize(2);
		assertThat(this.pump.counts().sent()).isZero();
	}

	@Test
	void eventsThatCannotBeMadeAreCountedAndLaterOnesAreSent() {
		AtomicBoolean broken = new AtomicBoolean(true);
		this.pump.close();
		this.pump = new EventPump(List.of(this.received::addAll), "pod-7", SubjectNaming.of((subject) -> {
			if (broken.getAndSet(false)) {
				throw new LinkageError("a library is missing");
			}
			return subject;
		}), System::nanoTime, PAUSE, CLOSING);
		this.engine = engine(new EventSample(1, 1, 100_000));
		this.engine.acquireBlocking("search", "user:1");
		Awaitility.await().until(() -> this.pump.counts().failed() == 1);
		this.engine.acquireBlocking("search", "user:1");
		Awaitility.await().until(() -> this.received.size() == 1);
	}

	@Test
	void sinkThatLeavesItsThreadInterruptedIsNotCalledInALoop() throws Exception {
		use(new EventSample(1, 1, 100_000), (events) -> {
			this.received.addAll(events);
			Thread.currentThread().interrupt();
		});
		this.engine.acquireBlocking("login", "user:1");
		next();
		this.engine.acquireBlocking("login", "user:1");
		next();
	}

	@Test
	void eventsComeInBatches() throws Exception {
		BlockingQueue<Integer> sizes = new LinkedBlockingQueue<>();
		use(new EventSample(1, 1, 100_000), (events) -> sizes.add(events.size()));
		for (int i = 0; i < EventPump.BATCH; i++) {
			this.engine.acquireBlocking("login", "user:1");
		}
		int sent = 0;
		while (sent < EventPump.BATCH) {
			Integer size = sizes.poll(10, TimeUnit.SECONDS);
			assertThat(size).isNotNull().isBetween(1, EventPump.BATCH);
			sent += size;
		}
		assertThat(sent).isEqualTo(EventPump.BATCH);
	}

	@Test
	void pendingEventsAreSentOnClose() {
		for (int i = 0; i < 1200; i++) {
			this.engine.acquireBlocking("login", "user:1");
		}
		this.pump.close();
		assertThat(this.received).hasSize(1200);
	}

}
