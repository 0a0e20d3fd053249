package dev.ratelimit.web;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import com.sun.management.ThreadMXBean;
import dev.ratelimit.Criticality.Level;
import dev.ratelimit.Phase;
import dev.ratelimit.address.IpNetworks;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.load.LoadGuard;
import dev.ratelimit.load.LoadSettings;
import dev.ratelimit.security.Authorities;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LoadStageTests {

	private static final int OK = 200;

	/** Without an optimizing compiler. About a quarter is the guard's own. */
	private static final double BYTES = 432;

	private final LoadGuard guard = new LoadGuard(LoadSettings.DEFAULT, System.nanoTime());

	private final LoadStage stage = new LoadStage(this.guard,
			new Levels("", IpNetworks.NONE, List.of(), Authorities.NONE, new LevelHeaderCounts()), Phase.LATE, false,
			System::nanoTime);

	private final FakeRequest request = FakeRequest.get("/work");

	private final CompletableFuture<RequestProgress> charged = CompletableFuture.completedFuture(RequestProgress.START);

	@Test
	void aRequestCostsLittleWhileSeatsAreFree() {
		pass(20_000);
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		long before = threads.getCurrentThreadAllocatedBytes();
		pass(100_000);
		assertThat((threads.getCurrentThreadAllocatedBytes() - before) / 100_000.0).isLessThan(BYTES);
		assertThat(this.guard.status(Level.NORMAL).allowed()).isEqualTo(120_000);
		assertThat(this.guard.status(Level.NORMAL).inFlight()).isZero();
	}

	private void pass(int times) {
		for (int i = 0; i < times; i++) {
			this.stage.around(this.request, null, RequestProgress.START, () -> this.charged, (shed) -> this.charged)
				.join()
				.free(OK);
		}
	}

}
