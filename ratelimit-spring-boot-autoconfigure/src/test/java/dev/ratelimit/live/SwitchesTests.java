package dev.ratelimit.live;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import dev.ratelimit.FailurePolicy;
import dev.ratelimit.RuleMode;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.rule.RuleBuilder;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class SwitchesTests {

	private final Editions editions = new Editions();

	private final LiveThread thread = new LiveThread();

	private final Store store = new Store();

	private final Switches switches = new Switches(this.store, true, this.editions, this.thread);

	@BeforeEach
	void start() {
		this.editions.adopt(List.of(RuleBuilder.rule("search").limits("100/min").paths("/a").build(),
				RuleBuilder.rule("quiet").limits("100/min").paths("/b").mode(RuleMode.SHADOW).build(),
				RuleBuilder.rule("login").limits("5/min").paths("/c").failure(FailurePolicy.CLOSED).build()));
		this.switches.start();
	}

	@AfterEach
	void close() {
		this.switches.close();
		this.thread.close();
	}

	@Test
	void aSwitchChangesItsRuleAlone() {
		this.switches.set(request(Optional.of("search"), RuleMode.SHADOW, false));
		assertThat(modes()).isEqualTo("SHADOW SHADOW ENFORCE");
		assertThat(this.switches.end(Optional.of("search"), false)).isTrue();
		assertThat(modes()).isEqualTo("ENFORCE SHADOW ENFORCE");
		assertThat(this.switches.end(Optional.of("search"), false)).isFalse();
	}

	@Test
	void aSwitchForAllLeavesRulesThatFailClosed() {
		this.switches.set(request(Optional.empty(), RuleMode.OFF, false));
		assertThat(modes()).isEqualTo("OFF OFF ENFORCE");
		this.switches.set(request(Optional.of("login"), RuleMode.SHADOW, false));
		assertThat(modes()).isEqualTo("OFF OFF SHADOW");
	}

	@Test
	void aSwitchEndsAlsoIfItIsStoppedAndStartedAgain() {
		this.switches.set(request(Optional.of("search"), RuleMode.OFF, true));
		this.switches.stop();
		this.thread.close();
		this.store.now.addAndGet(Duration.ofHours(1).toMillis() - 20);
		this.switches.start();
		assertThat(modes()).isEqualTo("OFF SHADOW ENFORCE");
		this.store.now.addAndGet(20);
		Awaitility.await().until(() -> modes().equals("ENFORCE SHADOW ENFORCE"));
	}

	@Test
	void aSwitchThatAnotherInstanceHasEndedMeanwhileIsNotSet() {
		this.store.known = Optional.of(List.of());
		this.switches.set(request(Optional.of("search"), RuleMode.OFF, false));
		assertThat(modes()).isEqualTo("ENFORCE SHADOW ENFORCE");
	}

	@Test
	void theLaxestWins() {
		this.switches.set(request(Optional.of("search"), RuleMode.OFF, false));
		this.switches.set(request(Optional.empty(), RuleMode.SHADOW, false));
		assertThat(modes()).isEqualTo("OFF SHADOW ENFORCE");
	}

	@Test
	void switchesEndByTheClockOfTheStoreEvenWhileItIsUnavailable() throws Exception {
		this.switches.set(request(Optional.of("search"), RuleMode.OFF, false));
		this.store.failure = Optional.of("timeout");
		this.store.now.addAndGet(Duration.ofHours(1).toMillis());
		for (int i = 0; i < 200 && !this.switches.active().isEmpty(); i++) {
			this.thread.later(Duration.ZERO, () -> this.store.tell(List.of())).get();
		}
		assertThat(modes()).isEqualTo("ENFORCE SHADOW ENFORCE");
	}

	@Test
	void aSwitchEndsByItself() {
		this.switches
			.set(new SwitchRequest(Optional.of("search"), RuleMode.OFF, Duration.ofSeconds(1), "alice", "", true));
		// Set another switch, so that the end of the first one is scheduled 10 ms in
		// advance.
		this.store.now.addAndGet(990);
		this.switches.set(request(Optional.of("login"), RuleMode.SHADOW, true));
		assertThat(modes()).isEqualTo("OFF SHADOW SHADOW");
		this.store.now.addAndGet(10);
		Awaitility.await()
			.pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofMillis(5))
			.untilAsserted(() -> assertThat(modes()).isEqualTo("ENFORCE SHADOW SHADOW"));
	}

	@Test
	void switchesSurviveNewRules() {
		this.switches.set(request(Optional.of("search"), RuleMode.OFF, false));
		this.editions.adopt(List.of(RuleBuilder.rule("search").limits("200/min").paths("/a").build()));
		assertThat(this.editions.current().rules().rules().get("search").reaction().mode()).isEqualTo(RuleMode.OFF);
	}

	@Test
	void ifOthersCannotBeToldASwitchIsForThisInstanceAloneOnRequest() {
		this.store.failure = Optional.of("timeout");
		assertThatExceptionOfType(RuleSourceException.class)
			.isThrownBy(() -> this.switches.set(request(Optional.of("search"), RuleMode.OFF, false)));
		assertThat(modes()).isEqualTo("ENFORCE SHADOW ENFORCE");
		this.switches.set(request(Optional.of("search"), RuleMode.OFF, true));
		assertThat(modes()).isEqualTo("OFF SHADOW ENFORCE");
		assertThat(this.switches.active()).singleElement().matches(ActiveSwitch::instanceOnly);
		assertThat(this.switches.end(Optional.of("search"), true)).isTrue();
		assertThat(modes()).isEqualTo("ENFORCE SHADOW ENFORCE");
	}

	@Test
	void theSwitchOfAllInstancesEndsWithoutThatOfThisInstance() {
		this.switches.set(request(Optional.of("search"), RuleMode.OFF, false));
		this.switches.set(request(Optional.of("search"), RuleMode.SHADOW, true));
		assertThat(this.switches.endOfAll(Optional.of("search"))).isTrue();
		assertThat(this.switches.active()).singleElement().matches(ActiveSwitch::instanceOnly);
		assertThat(modes()).isEqualTo("SHADOW SHADOW ENFORCE");
		assertThat(this.switches.endOfAll(Optional.of("search"))).isFalse();
		this.switches.set(request(Optional.of("search"), RuleMode.OFF, false));
		assertThat(this.switches.end(Optional.of("search"), false)).as("both").isTrue();
		assertThat(this.switches.active()).isEmpty();
	}

	@Test
	void switchesOfOtherInstancesAreApplied() throws Exception {
		this.store.tell(List
			.of(new RuleSwitch(Optional.of("search"), RuleMode.SHADOW, this.store.nowMillis() + 10_000, "bob", "")));
		this.thread.later(Duration.ZERO, () -> {
		}).get();
		assertThat(modes()).isEqualTo("SHADOW SHADOW ENFORCE");
	}

	@Test
	void resumedSwitchesLastUntilStoreReportsOrTheyEnd() throws Exception {
		long now = this.store.nowMillis();
		this.switches.resume(List.of(active("search", RuleMode.OFF, now + 1000, false),
				active("quiet", RuleMode.OFF, now, false), active("login", RuleMode.SHADOW, now + 1000, true)));
		assertThat(modes()).isEqualTo("OFF SHADOW SHADOW");
		this.store.tell(List.of());
		this.thread.later(Duration.ZERO, () -> {
		}).get();
		assertThat(modes()).isEqualTo("ENFORCE SHADOW SHADOW");
	}

	private static ActiveSwitch active(String rule, RuleMode mode, long untilMillis, boolean instanceOnly) {
		return new ActiveSwitch(new RuleSwitch(Optional.of(rule), mode, untilMillis, "alice", ""), instanceOnly);
	}

	@Test
	void requestsAreBounded() {
		assertThatIllegalArgumentException().isThrownBy(() -> request(Optional.empty(), RuleMode.ENFORCE, false));
		assertThatIllegalArgumentException().isThrownBy(() -> new SwitchRequest(Optional.empty(), RuleMode.OFF,
				Duration.ofDays(7).plusMillis(1), "alice", "", false));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.switches.set(request(Optional.of("nope"), RuleMode.OFF, false)))
			.withMessage("there is no rule 'nope'");
	}

	private String modes() {
		return List.of("search", "quiet", "login")
			.stream()
			.map((id) -> this.editions.current().rules().rules().get(id).reaction().mode().name())
			.reduce((first, next) -> first + " " + next)
			.orElse("");
	}

	private static SwitchRequest request(Optional<String> rule, RuleMode mode, boolean here) {
		return new SwitchRequest(rule, mode, Duration.ofHours(1), "alice", "", here);
	}

	private static final class Store implements SwitchStore {

		private final AtomicLong now = new AtomicLong(1_000_000);

		private Optional<Consumer<List<RuleSwitch>>> listener = Optional.empty();

		private final Set<Optional<String>> set = new HashSet<>();

		private Optional<String> failure = Optional.empty();

		private Optional<List<RuleSwitch>> known = Optional.empty();

		@Override
		public Optional<List<RuleSwitch>> current() {
			return this.known;
		}

		@Override
		public void start(Consumer<List<RuleSwitch>> changes) {
			this.listener = Optional.of(changes);
		}

		void tell(List<RuleSwitch> switches) {
			this.listener.ifPresent((told) -> told.accept(switches));
		}

		@Override
		public long nowMillis() {
			return this.now.get();
		}

		@Override
		public RuleSwitch set(Optional<String> rule, RuleMode mode, Duration duration, String user, String note) {
			requireAvailable();
			this.set.add(rule);
			return new RuleSwitch(rule, mode, nowMillis() + duration.toMillis(), user, note);
		}

		@Override
		public boolean end(Optional<String> rule) {
			requireAvailable();
			return this.set.remove(rule);
		}

		private void requireAvailable() {
			this.failure.ifPresent((reason) -> {
				throw new RuleSourceException(reason, new IllegalStateException(reason));
			});
		}

		@Override
		public void close() {
			this.listener = Optional.empty();
		}

	}

}
