package dev.ratelimit.gate;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

import com.sun.management.ThreadMXBean;
import dev.ratelimit.Decision;
import dev.ratelimit.MissingKeyPolicy;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.engine.Subjects;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.test.Engines;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PassageObserverTests {

	private static final Call CALL = new Call() {
	};

	@Test
	void observingNothingAllocatesNothing() {
		pass(PassageObserver.NONE, 20_000);
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		long before = threads.getCurrentThreadAllocatedBytes();
		long nothing = threads.getCurrentThreadAllocatedBytes() - before;
		before = threads.getCurrentThreadAllocatedBytes();
		pass(PassageObserver.NONE, 100_000);
		assertThat(threads.getCurrentThreadAllocatedBytes() - before).isEqualTo(nothing);
	}

	private static void pass(PassageObserver observer, int times) {
		for (int i = 0; i < times; i++) {
			observer.enter("early", CALL, RequestProgress.START).accept(Decision.UNMATCHED);
		}
	}

	@Test
	void aCallWithoutItsKeyIsObservedToo() {
		List<String> told = new ArrayList<>();
		RateLimitEngine engine = Engines.of(new MemoryLimitStore(100, () -> 1000));
		engine.editions()
			.adopt(List.of(RuleBuilder.rule("orders").limits("2/h").onMissingKey(MissingKeyPolicy.DENY).build()));
		RuleStage<Call> stage = new RuleStage<>(engine, "early", new Watching(told));
		for (Optional<String> subject : List.of(Optional.<String>empty(),
				Optional.of(Subjects.part("user", "alice")))) {
			GateRule<Call> rule = new GateRule<>(engine.rule("orders").orElseThrow(), List.of((call, match) -> subject),
					(call, route, limits) -> 1, AccessList.equal(), RuleObservations.NONE);
			stage.enter(List.of(() -> rule), CALL, RequestProgress.START).join();
		}
		assertThat(told).containsExactly("early entered", "KEY_MISSING", "early entered", "WITHIN_LIMITS");
	}

	private record Watching(List<String> told) implements PassageObserver {

		@Override
		public Consumer<Decision> enter(String phase, Call call, RequestProgress progress) {
			this.told.add(phase + " entered");
			return (decision) -> this.told.add(decision.reason().name());
		}

	}

}
