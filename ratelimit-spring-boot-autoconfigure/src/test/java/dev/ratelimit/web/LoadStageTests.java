package dev.ratelimit.web;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Set;

import com.sun.management.ThreadMXBean;
import dev.ratelimit.Criticality.Level;
import dev.ratelimit.Phase;
import dev.ratelimit.address.IpNetworks;
import dev.ratelimit.engine.IdempotencySettings;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.gate.PassageObservers;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.load.LoadGuard;
import dev.ratelimit.load.LoadSettings;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.security.Authorities;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.web.handler.HandlerRules;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.web.util.pattern.PathPatternParser;

import static org.assertj.core.api.Assertions.assertThat;

class LoadStageTests {

	private static final int OK = 200;

	private static final int TIMES = 5_000;

	/** Each byte of it: without an optimizing compiler, nothing is left out. */
	private static final double MOST_BYTES = 200;

	private final LoadGuard guard = new LoadGuard(LoadSettings.DEFAULT, System.nanoTime());

	private final LoadStage stage = new LoadStage(this.guard,
			new Levels("", IpNetworks.NONE, List.of(), Authorities.NONE, new LevelHeaderCounts()), Phase.LATE, false,
			System::nanoTime);

	private final RateLimitEngine engine = new RateLimitEngine(new MemoryLimitStore(10, () -> 60_000_000_000L),
			Duration.ofSeconds(1), "secret", IdempotencySettings.DEFAULT, List.of());

	private final FakeRequest request = FakeRequest.get("/work");

	@ParameterizedTest
	@ValueSource(strings = { "/work", "/other" })
	void whatTheGuardAddsToARequestIsSmallWhileSeatsAreFree(String paths) {
		this.engine.editions().adopt(List.of(Rule.builder("work").limits("unlimited").paths(paths).build()));
		RequestGate open = gate(null);
		RequestGate guarded = gate(this.stage);
		allocated(open);
		allocated(guarded);
		assertThat(allocated(guarded) - allocated(open)).isPositive().isLessThanOrEqualTo(MOST_BYTES);
		assertThat(this.guard.status(Level.NORMAL).allowed()).isEqualTo(2 * TIMES);
		assertThat(this.guard.status(Level.NORMAL).inFlight()).isZero();
	}

	private RequestGate gate(@Nullable LoadStage load) {
		RequestGate gate = new RequestGate(this.engine,
				GateSettings.of(Resolvers.NONE, new IdempotencyKeys(Set.of("POST"), false), Exemptions.NONE, false),
				PassageObservers.NONE, load);
		gate.bind(HandlerRules.NONE, PathPatternParser.defaultInstance);
		return gate;
	}

	private double allocated(RequestGate gate) {
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		long before = threads.getCurrentThreadAllocatedBytes();
		for (int i = 0; i < TIMES; i++) {
			gate.enter(Phase.LATE, this.request, RequestProgress.START).join().free(OK);
		}
		return (threads.getCurrentThreadAllocatedBytes() - before) / (double) TIMES;
	}

}
