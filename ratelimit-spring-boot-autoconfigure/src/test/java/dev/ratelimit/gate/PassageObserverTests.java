package dev.ratelimit.gate;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import com.sun.management.ThreadMXBean;
import dev.ratelimit.Decision;
import dev.ratelimit.MissingKeyPolicy;
import dev.ratelimit.doctor.RequestObservations;
import dev.ratelimit.engine.IdempotencySettings;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.engine.Subjects;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.web.RequestObserver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class PassageObserverTests {

	private static final Call CALL = new Call() {
	};

	static List<PassageObserver> observersThatAreAlwaysThere() {
		return List.of(PassageObserver.NONE, RequestObserver.NONE,
				new RequestObservations(Instant::now, (request) -> true),
				PassageObserver.NONE.and(RequestObserver.NONE));
	}

	@Test
	void whereNobodyObservesThereIsOne() {
		PassageObserver observer = new Watching("one", new ArrayList<>());
		assertThat(PassageObservers.NONE.of("early")).isSameAs(PassageObserver.NONE);
		assertThat(PassageObserver.NONE.and(observer)).isSameAs(observer);
		assertThat(observer.and(PassageObserver.NONE)).isSameAs(observer);
	}

	@ParameterizedTest
	@MethodSource("observersThatAreAlwaysThere")
	void observersThatAreAlwaysThereAllocateNothing(PassageObserver observer) {
		pass(observer, 20_000);
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		long before = threads.getCurrentThreadAllocatedBytes();
		long nothing = threads.getCurrentThreadAllocatedBytes() - before;
		before = threads.getCurrentThreadAllocatedBytes();
		pass(observer, 100_000);
		assertThat(threads.getCurrentThreadAllocatedBytes() - before).isEqualTo(nothing);
	}

	private static void pass(PassageObserver observer, int times) {
		for (int i = 0; i < times; i++) {
			observer.enter(CALL, RequestProgress.START).decided(Decision.UNMATCHED);
		}
	}

	@Test
	void bothOfTwoAreTold() {
		List<String> told = new ArrayList<>();
		PassageObserver both = new Watching("one", told).and(new Watching("other", told));
		both.sawTwice();
		both.enter(CALL, RequestProgress.START).decided(Decision.UNMATCHED);
		assertThat(told).containsExactly("one twice", "other twice", "one entered", "other entered", "one UNMATCHED",
				"other UNMATCHED");
	}

	@Test
	void aCallWithoutItsKeyIsObservedToo() {
		List<String> told = new ArrayList<>();
		RateLimitEngine engine = new RateLimitEngine(new MemoryLimitStore(100, () -> 1000), Duration.ofSeconds(1),
				"secret", IdempotencySettings.DEFAULT, List.of());
		engine.editions()
			.adopt(List.of(RuleBuilder.rule("orders").limits("2/h").onMissingKey(MissingKeyPolicy.DENY).build()));
		RuleStage<Call> stage = new RuleStage<>(engine, new Watching("one", told));
		for (Optional<String> subject : List.of(Optional.<String>empty(),
				Optional.of(Subjects.part("user", "alice")))) {
			GateRule<Call> rule = new GateRule<>(engine.rule("orders").orElseThrow(), List.of((call, match) -> subject),
					(call, tier) -> 1, AccessList.equal(), RuleObservations.NONE);
			stage.enter(List.of(() -> rule), CALL, RequestProgress.START).join();
		}
		assertThat(told).containsExactly("one entered", "one KEY_MISSING", "one entered", "one WITHIN_LIMITS");
	}

	private record Watching(String name, List<String> told) implements PassageObserver {

		@Override
		public void sawTwice() {
			this.told.add(this.name + " twice");
		}

		@Override
		public ObservedPassage enter(Call call, RequestProgress progress) {
			this.told.add(this.name + " entered");
			return (decision) -> this.told.add(this.name + " " + decision.reason());
		}

	}

}
