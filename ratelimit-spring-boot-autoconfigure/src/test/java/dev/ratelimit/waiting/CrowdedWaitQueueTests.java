package dev.ratelimit.waiting;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import dev.ratelimit.engine.AppliedRule;
import dev.ratelimit.engine.DecisionObservers;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.engine.IdempotencySettings;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.engine.Ticket;
import dev.ratelimit.engine.WaitRequest;
import dev.ratelimit.rule.LimitDefinition;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.rule.RuleOptions;
import dev.ratelimit.rule.Waiting;
import dev.ratelimit.store.StoreDeadlines;
import dev.ratelimit.store.memory.MemoryLimitStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the memory and threads of the maximum number of waiting requests of a WebFlux
 * instance in one queue, without the requests themselves.
 */
@Tag("long")
class CrowdedWaitQueueTests {

	private static final int WAITERS = 10_000;

	private static final int FLOWS = 100;

	/**
	 * The maximum number of threads that servers and clients of other tests in this JVM
	 * may start.
	 */
	private static final int THREADS_OF_OTHERS = 100;

	private static final long MOST_BYTES_EACH = 1500;

	private static final Duration LONGEST = Duration.ofSeconds(10);

	private final Editions editions = new Editions(() -> 0);

	private final RateLimitEngine engine = new RateLimitEngine(this.editions, new MemoryLimitStore(1000, () -> 60_000),
			StoreDeadlines.of(Duration.ofMillis(50)), "secret", IdempotencySettings.DEFAULT,
			new DecisionObservers(List.of(), List.of()), () -> 0,
			new FairWaitQueueFactory(new WaitSettings(WAITERS, () -> 1, (delay, task) -> () -> {
			})));

	@Test
	void tenThousandWaitWithoutAThread() {
		adopt(RuleBuilder.rule("search")
			.key("global")
			.limit(LimitDefinition.of("1000/s"))
			.burst(1)
			.with(RuleOptions.WAIT, new Waiting(Duration.ofSeconds(30), WAITERS, Optional.empty())));
		assertThat(enter(0).result()).isCompleted();
		int threads = ManagementFactory.getThreadMXBean().getThreadCount();
		long before = used();
		long begin = System.nanoTime();
		List<Ticket> waiting = enterAll();
		long entered = System.nanoTime() - begin;
		long bytes = (used() - before) / WAITERS;
		assertThat(waiting).noneMatch((ticket) -> ticket.result().isDone());
		begin = System.nanoTime();
		waiting.forEach(Ticket::leave);
		long left = System.nanoTime() - begin;
		assertThat(this.engine.queues().waiting()).isZero();
		waiting = enterAll();
		begin = System.nanoTime();
		adopt(RuleBuilder.rule("search").key("global").limits("unlimited"));
		long allowed = System.nanoTime() - begin;
		System.out.printf("%d waiters: %d bytes each, entered in %d ms, left in %d ms, admitted in %d ms%n", WAITERS,
				bytes, millis(entered), millis(left), millis(allowed));
		assertThat(waiting).allMatch((ticket) -> ticket.result().join().decision().allowed());
		assertThat(this.engine.queues().waiting()).isZero();
		assertThat(ManagementFactory.getThreadMXBean().getThreadCount()).isLessThan(threads + THREADS_OF_OTHERS);
		assertThat(bytes).isLessThan(MOST_BYTES_EACH);
		assertThat(Math.max(entered, Math.max(left, allowed))).isLessThan(LONGEST.toNanos());
	}

	private List<Ticket> enterAll() {
		return IntStream.range(0, WAITERS).mapToObj(this::enter).toList();
	}

	private Ticket enter(int number) {
		AppliedRule rule = AppliedRule.of(this.engine.rule("search").orElseThrow(), "all", 1);
		String flow = "flow" + number % FLOWS;
		return this.engine.queues()
			.enter(new WaitRequest(List.of(rule), Optional.empty(), (of) -> flow, OptionalLong.empty(), 0,
					Optional.empty()))
			.join();
	}

	private void adopt(RuleBuilder rule) {
		this.editions.adopt(List.of(rule.build()));
	}

	private static long used() {
		System.gc();
		return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
	}

	private static long millis(long nanos) {
		return TimeUnit.NANOSECONDS.toMillis(nanos);
	}

}
