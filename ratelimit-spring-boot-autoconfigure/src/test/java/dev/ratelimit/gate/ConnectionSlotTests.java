package dev.ratelimit.gate;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.Decision;
import dev.ratelimit.Reservation;
import dev.ratelimit.rule.Holder;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.rule.RuleOptions;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that a connection is open only while it is counted.
 */
class ConnectionSlotTests {

	private final AtomicInteger closed = new AtomicInteger();

	private final AtomicInteger released = new AtomicInteger();

	private final AtomicBoolean open = new AtomicBoolean(true);

	private final ConnectionSlot slot = slot();

	private ConnectionSlot slot() {
		Rule rule = RuleBuilder.rule("ws")
			.key("ip")
			.algorithm("concurrency")
			.limits("5")
			.with(RuleOptions.HOLD, Holder.CONNECTION)
			.build();
		Completion holding = new Completion(new Released(), List.of(), List.of(new Completion.OneCharge(List.of(rule))),
				(status) -> {
				});
		RequestProgress progress = new RequestProgress(null, Decision.UNMATCHED, 0, null, Endings.NONE.and(holding),
				Delay.NONE, Map.of());
		return Objects.requireNonNull(ConnectionSlot.of(progress, 0, (kept) -> {
		}));
	}

	@Test
	void aConnectionIsClosedAtItsEnd() {
		this.slot.claim(new Connection());
		assertThat(this.slot.isOver(TimeUnit.HOURS.toNanos(23))).isFalse();
		assertThat(this.slot.isOver(TimeUnit.HOURS.toNanos(24))).isTrue();
		this.slot.end();
		assertThat(this.slot.isFreed()).isTrue();
		assertThat(this.closed).hasValue(1);
	}

	@Test
	void aConnectionThatComesWhenItsSlotIsFreedIsClosed() {
		this.slot.end();
		this.slot.claim(new Connection());
		assertThat(this.closed).hasValue(1);
	}

	// A handler may be wrapped twice.
	@Test
	void aConnectionMayClaimItsSlotsTwice() {
		Connection one = new Connection();
		this.slot.claim(one);
		this.slot.claim(one);
		assertThat(this.slot.isFreed()).isFalse();
		this.slot.claim(new Connection());
		assertThat(this.slot.isFreed()).as("claimed by two").isTrue();
		assertThat(this.closed).hasValue(2);
	}

	@Test
	void slotsAreReleasedOnce() {
		this.slot.claim(new Connection());
		this.slot.free();
		this.slot.end();
		assertThat(this.released).hasValue(1);
	}

	@Test
	void aConnectionThatHasGoneWithoutAWordIsSeen() {
		assertThat(this.slot.isClosed()).as("before it comes").isFalse();
		this.slot.claim(new Connection());
		assertThat(this.slot.isClosed()).isFalse();
		this.open.set(false);
		assertThat(this.slot.isClosed()).isTrue();
	}

	private final class Connection implements ConnectionSlot.Connection {

		@Override
		public boolean isOpen() {
			return ConnectionSlotTests.this.open.get();
		}

		@Override
		public void close() {
			ConnectionSlotTests.this.closed.incrementAndGet();
		}

	}

	/**
	 * A reservation without support for handing over its slots.
	 */
	private final class Released implements Reservation {

		@Override
		public CompletionStage<Void> settle(long actual) {
			throw new UnsupportedOperationException();
		}

		@Override
		public CompletionStage<Void> settle(String ruleId, long actual) {
			throw new UnsupportedOperationException();
		}

		@Override
		public CompletionStage<Void> release() {
			throw new UnsupportedOperationException();
		}

		@Override
		public CompletionStage<Void> release(String ruleId) {
			assertThat(ruleId).isEqualTo("ws");
			ConnectionSlotTests.this.released.incrementAndGet();
			return CompletableFuture.completedFuture(null);
		}

		@Override
		public CompletionStage<Void> cancel() {
			throw new UnsupportedOperationException();
		}

	}

}
