package dev.ratelimit.test.redis;

import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class OnceTests {

	private final AtomicInteger calls = new AtomicInteger();

	@Test
	void valueIsComputedOnce() {
		Once<Integer> once = new Once<>(this.calls::incrementAndGet);
		assertThat(once.get()).isEqualTo(1);
		assertThat(once.get()).isEqualTo(1);
	}

	@Test
	void failureIsKept() {
		Once<Integer> once = new Once<>(() -> {
			throw new IllegalArgumentException("failure " + this.calls.incrementAndGet());
		});
		assertThatIllegalStateException().isThrownBy(once::get).withMessage("failure 1");
		assertThatIllegalStateException().isThrownBy(once::get).withMessage("failure 1");
	}

}
