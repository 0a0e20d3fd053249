package dev.ratelimit.gate;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.Decision;
import dev.ratelimit.Reservation;
import dev.ratelimit.rule.Holder;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleOptions;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A connection is open only as long as it is counted.
 */
class ConnectionSlotTests {

	private final AtomicInteger closed = new AtomicInteger();

	private final ConnectionSlot slot = slot();

	private static ConnectionSlot slot() {
		Rule rule = Rule.builder("ws")
			.key("ip")
			.algorithm("concurrency")
			.limits("5")
			.with(RuleOptions.HOLD, Holder.CONNECTION)
			.build();
		Completion holding = new Completion(Reservation.NONE, List.of(), List.of(rule), (status) -> {
		});
		RequestProgress progress = new RequestProgress(null, Decision.UNMATCHED, 0, null, Endings.NONE.and(holding),
				Hold.NONE, Map.of());
		return Objects.requireNonNull(ConnectionSlot.of(progress, 0, (kept) -> {
		}));
	}

	@Test
	void aConnectionIsClosedAtItsEnd() {
		this.slot.claim(this.closed::incrementAndGet);
		assertThat(this.slot.isOver(TimeUnit.HOURS.toNanos(23))).isFalse();
		assertThat(this.slot.isOver(TimeUnit.HOURS.toNanos(24))).isTrue();
		this.slot.end();
		assertThat(this.slot.isFreed()).isTrue();
		assertThat(this.closed).hasValue(1);
	}

	@Test
	void aConnectionThatComesWhenItsSlotIsFreedIsClosed() {
		this.slot.end();
		this.slot.claim(this.closed::incrementAndGet);
		assertThat(this.closed).hasValue(1);
	}

}
