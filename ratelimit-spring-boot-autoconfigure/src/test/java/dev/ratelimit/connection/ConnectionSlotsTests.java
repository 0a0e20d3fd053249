package dev.ratelimit.connection;

import java.util.concurrent.CountDownLatch;

import dev.ratelimit.gate.ConnectionSlot;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.Upkeep;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.mock;

class ConnectionSlotsTests {

	private final Upkeep upkeep = new Upkeep();

	private final ConnectionSlots slots = new ConnectionSlots(Time.SYSTEM, this.upkeep);

	@AfterEach
	void close() {
		this.slots.close();
		this.upkeep.close();
	}

	@Test
	@Timeout(60)
	void aConnectionThatCannotBeClosedKeepsNoOtherOpen() {
		CountDownLatch read = new CountDownLatch(1);
		ConnectionSlot stalled = over();
		willAnswer((call) -> {
			read.await();
			return null;
		}).given(stalled).end();
		this.slots.keep(stalled);
		this.slots.round();
		ConnectionSlot other = over();
		this.slots.keep(other);
		this.slots.round();
		await().untilAsserted(() -> then(other).should().end());
		read.countDown();
	}

	@Test
	void aConnectionThatClaimsItsSlotsWhileTheyAreGivenUpIsClosed() {
		ConnectionSlot unclaimed = mock();
		given(unclaimed.isUnclaimedSince(anyLong())).willReturn(true);
		this.slots.keep(unclaimed);
		this.slots.round();
		await().untilAsserted(() -> then(unclaimed).should().end());
		assertThat(this.slots.neverClaimed()).isOne();
	}

	private static ConnectionSlot over() {
		ConnectionSlot slot = mock();
		given(slot.isOver(anyLong())).willReturn(true);
		return slot;
	}

}
