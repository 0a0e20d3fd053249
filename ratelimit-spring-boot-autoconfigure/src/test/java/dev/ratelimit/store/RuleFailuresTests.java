package dev.ratelimit.store;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.store.StoreException.Kind;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class RuleFailuresTests {

	private static final StoreException NOPERM = new StoreException(Kind.SCRIPT, "NOPERM", null);

	private static final AcquireRequest BOTH = Demands.of(Demands.charge(Demands.perMinute("a", 5), "ann", 1),
			Demands.charge(Demands.perMinute("b", 5), "ann", 1));

	private static final AcquireRequest B = Demands.of(Demands.charge(Demands.perMinute("b", 5), "ann", 1));

	private final AtomicLong nanos = new AtomicLong();

	private final AtomicInteger asked = new AtomicInteger();

	private final RuleFailures failures = new RuleFailures(this.nanos::get);

	@BeforeEach
	void rules() {
		// Applications of other tests in this JVM may have set another level.
		LoggingSystem.get(getClass().getClassLoader()).setLogLevel(RuleFailures.class.getName(), LogLevel.INFO);
		this.failures.use(Set.of("a", "b"));
		this.failures.onRequestFailure(this.asked::incrementAndGet);
	}

	@Test
	void requestUnderSeveralRulesBlamesAllUntilTheTestTells(CapturedOutput output) {
		this.failures.requestFailed(BOTH, NOPERM);
		assertThat(this.failures.current()).containsOnlyKeys("a", "b").containsEntry("a", "script: NOPERM");
		assertThat(this.failures.total()).isTrue();
		assertThat(this.asked).hasValue(1);
		this.failures.tested(Map.of("a", Optional.of(NOPERM), "b", Optional.empty()));
		assertThat(this.failures.current()).containsOnlyKeys("a");
		this.failures.requestFailed(BOTH, NOPERM);
		assertThat(this.failures.current()).containsOnlyKeys("a");
		assertThat(this.failures.total()).isFalse();
		assertThat(output.getAll().lines().filter((line) -> line.contains("'a' failed"))).hasSize(1);
		assertThat(output).contains("'b' failed", "'b' is available again");
	}

	@Test
	void failureOfRequestsIsForgottenAfterOneMinute(CapturedOutput output) {
		this.failures.requestFailed(B, NOPERM);
		this.failures.tested(Map.of("a", Optional.empty(), "b", Optional.empty()));
		assertThat(this.failures.current()).containsOnlyKeys("b");
		this.nanos.addAndGet(TimeUnit.SECONDS.toNanos(59));
		this.failures.requestFailed(B, NOPERM);
		this.nanos.addAndGet(TimeUnit.SECONDS.toNanos(59));
		assertThat(this.failures.current()).containsOnlyKeys("b");
		this.nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
		assertThat(this.failures.current()).isEmpty();
		assertThat(this.asked).hasValue(1);
		assertThat(output.getAll().lines().filter((line) -> line.contains("'b' failed"))).hasSize(1);
	}

	@Test
	void failureOfTheTestStaysUntilTheTestPasses(CapturedOutput output) {
		this.failures.tested(Map.of("b", Optional.of(NOPERM)));
		this.nanos.addAndGet(TimeUnit.HOURS.toNanos(1));
		this.failures.requestFailed(B, new StoreException(Kind.SCRIPT, "other", null));
		this.failures.tested(Map.of("b", Optional.of(NOPERM)));
		assertThat(this.failures.current()).containsEntry("b", "script: NOPERM");
		assertThat(this.asked).hasValue(0);
		this.failures.tested(Map.of("b", Optional.empty()));
		assertThat(this.failures.current()).isEmpty();
		assertThat(output.getAll().lines()).filteredOn((line) -> line.contains("'b'")).hasSize(2);
	}

	@Test
	void rulesThatAreNotActiveDoNotFail() {
		this.failures.requestFailed(B, NOPERM);
		this.failures.use(Set.of("a"));
		assertThat(this.failures.current()).isEmpty();
		this.failures.requestFailed(B, NOPERM);
		assertThat(this.failures.current()).isEmpty();
		this.failures.use(Set.of());
		assertThat(this.failures.total()).isFalse();
	}

}
