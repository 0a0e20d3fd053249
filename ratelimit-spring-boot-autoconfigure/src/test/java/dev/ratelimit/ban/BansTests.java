package dev.ratelimit.ban;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

import dev.ratelimit.BanKind;
import dev.ratelimit.RuleMode;
import dev.ratelimit.SubjectBannedEvent;
import dev.ratelimit.base.Changes;
import dev.ratelimit.base.Finding;
import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.rule.BanTerms;
import dev.ratelimit.rule.EnumNames;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.rule.RuleOptions;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.test.Engines;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BansTests {

	private static final Duration HOUR = Duration.ofHours(1);

	private final List<Object> events = new ArrayList<>();

	private long millis = HOUR.toMillis();

	private final LimitStore limits = new MemoryLimitStore(100, () -> this.millis);

	private final RateLimitEngine engine = Engines.of(this.limits);

	private Bans bans(LimitStore strikes, BanLimits most) {
		BanStore store = new MemoryBanStore(new BanBook(most), () -> Instant.ofEpochMilli(this.millis));
		Bans bans = new Bans(strikes, store, this.engine, this.events::add);
		bans.start();
		return bans;
	}

	private CompiledRule rule(RuleMode mode) {
		BanTerms terms = new BanTerms(3, HOUR, true, Optional.empty(), HOUR, 1, HOUR, HOUR, BanKind.BAN);
		RuleBuilder rule = RuleBuilder.rule("login").limits("5/min").key("ip").with(RuleOptions.BAN, terms);
		this.engine.editions().adopt(List.of(rule.mode(mode).build()));
		return this.engine.editions().current().required("login");
	}

	private static void strike(int times, Bans bans, CompiledRule rule, String subject) {
		for (int i = 0; i < times; i++) {
			bans.strike(rule, subject);
		}
	}

	private static List<String> banned(Bans bans) {
		return bans.active().stream().map(Ban::subject).toList();
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void aLiftIsNotOvertakenByTheBanThatItEnds() throws Exception {
		MemoryBanStore store = new MemoryBanStore(new BanBook(new BanLimits(10, 10)),
				() -> Instant.ofEpochMilli(this.millis));
		CountDownLatch imposed = new CountDownLatch(1);
		CountDownLatch resumed = new CountDownLatch(1);
		List<Boolean> published = Collections.synchronizedList(new ArrayList<>());
		store.start((ban) -> {
			if (imposed.getCount() > 0) {
				imposed.countDown();
				await(resumed);
			}
			published.add(ban.isActive(this.millis));
		});
		BanOrder order = BanOrder.of("login", "ip:1.2.3.4", BanKind.BAN, HOUR, "alice");
		Thread banning = new Thread(() -> store.imposeHere(order));
		banning.start();
		imposed.await();
		Thread lifting = new Thread(() -> store.liftHere("login", "ip:1.2.3.4", "alice"));
		lifting.start();
		while (lifting.getState() != Thread.State.BLOCKED && lifting.isAlive()) {
			Thread.onSpinWait();
		}
		resumed.countDown();
		banning.join();
		lifting.join();
		assertThat(published).hasSize(2).last().isEqualTo(false);
	}

	@Test
	void bansThatWereLiftedAreCountedIfTheLiftOfAnotherOneFails() {
		CompiledRule rule = rule(RuleMode.ENFORCE);
		MemoryBanStore memory = new MemoryBanStore(new BanBook(new BanLimits(10, 10)),
				() -> Instant.ofEpochMilli(this.millis));
		Bans bans = new Bans(this.limits, new FailingLifts(memory, "ip:2.2.2.2"), this.engine, this.events::add);
		bans.start();
		for (String subject : List.of("ip:1.1.1.1", "ip:2.2.2.2", "ip:3.3.3.3")) {
			strike(3, bans, rule, subject);
		}
		Changes lifts = bans.liftAllOf("login", 10, "alice");
		assertThat(lifts.await(1000, "no reply"))
			.hasValueSatisfying((failure) -> assertThat(failure).hasRootCauseInstanceOf(IllegalStateException.class));
		assertThat(lifts.made()).containsExactly("ip:1.1.1.1", "ip:3.3.3.3");
		assertThat(banned(bans)).containsExactly("ip:2.2.2.2");
	}

	@Test
	void everyEventOfARuleThatBansHasAMeterBeforeItOccurs() {
		Bans bans = bans(this.limits, new BanLimits(10, 10));
		MeterRegistry meters = new SimpleMeterRegistry();
		new BanMetrics(bans).bindTo(meters);
		assertThat(meters.find("ratelimit.bans.events").meters()).isEmpty();
		rule(RuleMode.ENFORCE);
		for (BanCounts.Event event : BanCounts.Event.values()) {
			assertThat(meters.get("ratelimit.bans.events")
				.tags("rule", "login", "event", EnumNames.of(event))
				.functionCounter()
				.count()).isZero();
		}
		this.engine.editions().adopt(List.of());
		assertThat(meters.find("ratelimit.bans.events").meters()).as("of a rule that is gone").isEmpty();
		rule(RuleMode.ENFORCE);
		assertThat(meters.find("ratelimit.bans.events").meters()).hasSameSizeAs(BanCounts.Event.values());
	}

	@Test
	void theStrikeThatIsOneTooManyBansAndTheNextBanNeedsAllOfThem() {
		Bans bans = bans(this.limits, new BanLimits(10, 10));
		CompiledRule rule = rule(RuleMode.ENFORCE);
		strike(2, bans, rule, "ip:192.0.2.1");
		assertThat(banned(bans)).isEmpty();
		strike(1, bans, rule, "ip:192.0.2.1");
		assertThat(banned(bans)).containsExactly("ip:192.0.2.1");
		assertThat(this.events).singleElement().isInstanceOf(SubjectBannedEvent.class);
		assertThat(this.engine.editions().sanctions().find("login", "ip:192.0.2.1")).isNotNull();
		assertThat(bans.lift("login", "ip:192.0.2.1", "ann").join()).isTrue();
		assertThat(this.engine.editions().sanctions().find("login", "ip:192.0.2.1")).isNull();
		strike(2, bans, rule, "ip:192.0.2.1");
		assertThat(banned(bans)).isEmpty();
		assertThat(bans.counts().count("login", BanCounts.Event.STRIKE)).isEqualTo(5);
		assertThat(bans.counts().count("login", BanCounts.Event.IMPOSED)).isOne();
		assertThat(bans.counts().count("login", BanCounts.Event.LIFTED)).isOne();
	}

	@Test
	void inShadowModeBansAreCountedAndNoneIsImposed() {
		Bans bans = bans(this.limits, new BanLimits(10, 10));
		strike(6, bans, rule(RuleMode.SHADOW), "ip:192.0.2.1");
		assertThat(banned(bans)).isEmpty();
		assertThat(bans.counts().count("login", BanCounts.Event.SHADOW)).isEqualTo(2);
	}

	@Test
	void theBrakePutsOffBansAndTheDoctorTells() {
		Bans bans = bans(this.limits, new BanLimits(10, 1));
		CompiledRule rule = rule(RuleMode.ENFORCE);
		strike(3, bans, rule, "ip:192.0.2.1");
		assertThat(new BrakeCheck(bans).findings()).isEmpty();
		strike(4, bans, rule, "ip:192.0.2.2");
		assertThat(banned(bans)).containsExactly("ip:192.0.2.1");
		assertThat(new BrakeCheck(bans).findings()).singleElement()
			.extracting(Finding::detail)
			.asString()
			.startsWith("2 ");
		this.millis += 60_000;
		strike(1, bans, rule, "ip:192.0.2.2");
		assertThat(banned(bans)).containsExactlyInAnyOrder("ip:192.0.2.1", "ip:192.0.2.2");
	}

	@Test
	void whenThereAreTooManyNoFurtherOneIsImposed() {
		Bans bans = bans(this.limits, new BanLimits(1, 10));
		CompiledRule rule = rule(RuleMode.ENFORCE);
		strike(3, bans, rule, "ip:192.0.2.1");
		strike(3, bans, rule, "ip:192.0.2.2");
		assertThat(banned(bans)).containsExactly("ip:192.0.2.1");
		assertThat(bans.counts().count("login", BanCounts.Event.FULL)).isOne();
	}

	@Test
	void strikesBeyondThoseUnderWayAreDroppedAndCounted() {
		CompletableFuture<AcquireResult> never = new CompletableFuture<>();
		Bans bans = bans(new Answering(never), new BanLimits(10, 10));
		strike(70, bans, rule(RuleMode.ENFORCE), "ip:192.0.2.1");
		assertThat(bans.counts().count("login", BanCounts.Event.STRIKE)).isEqualTo(64);
		assertThat(bans.counts().count("login", BanCounts.Event.DROPPED)).isEqualTo(6);
	}

	@Test
	void aFloodOfOneRuleDropsNoStrikesOfAnother() {
		CompletableFuture<AcquireResult> never = new CompletableFuture<>();
		Bans bans = bans(new Answering(never), new BanLimits(10, 10));
		BanTerms terms = new BanTerms(3, HOUR, true, Optional.empty(), HOUR, 1, HOUR, HOUR, BanKind.BAN);
		this.engine.editions()
			.adopt(List.of(RuleBuilder.rule("flood").limits("5/min").key("ip").with(RuleOptions.BAN, terms).build(),
					RuleBuilder.rule("login").limits("5/min").key("ip").with(RuleOptions.BAN, terms).build()));
		strike(70, bans, this.engine.editions().current().required("flood"), "ip:192.0.2.1");
		strike(3, bans, this.engine.editions().current().required("login"), "ip:192.0.2.2");
		assertThat(bans.counts().count("flood", BanCounts.Event.DROPPED)).isEqualTo(6);
		assertThat(bans.counts().count("login", BanCounts.Event.STRIKE)).isEqualTo(3);
		assertThat(bans.counts().count("login", BanCounts.Event.DROPPED)).isZero();
	}

	@Test
	void strikesThatFailAreNotUnderWay() {
		Bans bans = bans(new Answering(CompletableFuture.failedFuture(new IllegalStateException("on purpose"))),
				new BanLimits(10, 10));
		strike(100, bans, rule(RuleMode.ENFORCE), "ip:192.0.2.1");
		assertThat(bans.counts().count("login", BanCounts.Event.DROPPED)).isZero();
		assertThat(banned(bans)).isEmpty();
	}

	/**
	 * A store that returns the same result for all charges.
	 *
	 * @param answer the result
	 */
	private record Answering(CompletableFuture<AcquireResult> answer) implements LimitStore {

		@Override
		public String name() {
			return "answering";
		}

		@Override
		public CompletableFuture<AcquireResult> acquire(AcquireRequest request) {
			return this.answer;
		}

		@Override
		public CompletableFuture<Void> settle(List<Settlement> settlements) {
			return CompletableFuture.completedFuture(null);
		}

		@Override
		public CompletableFuture<Void> reset(List<Bucket> buckets) {
			return CompletableFuture.completedFuture(null);
		}

	}

	/**
	 * A store that cannot lift the bans of one subject.
	 */
	private record FailingLifts(BanStore store, String subject) implements BanStore {

		@Override
		public void start(Consumer<Ban> changes) {
			this.store.start(changes);
		}

		@Override
		public long nowMillis() {
			return this.store.nowMillis();
		}

		@Override
		public CompletableFuture<BanReply> impose(BanOrder order) {
			return this.store.impose(order);
		}

		@Override
		public CompletableFuture<Boolean> lift(String rule, String banned, String user) {
			return (banned.equals(this.subject)) ? CompletableFuture.failedFuture(new IllegalStateException("stopped"))
					: this.store.lift(rule, banned, user);
		}

		@Override
		public BanReply imposeHere(BanOrder order) {
			return this.store.imposeHere(order);
		}

		@Override
		public boolean liftHere(String rule, String banned, String user) {
			return this.store.liftHere(rule, banned, user);
		}

		@Override
		public List<Ban> active() {
			return this.store.active();
		}

		@Override
		public void close() {
			this.store.close();
		}

	}

}
