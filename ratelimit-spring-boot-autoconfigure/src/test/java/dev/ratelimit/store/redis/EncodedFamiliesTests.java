package dev.ratelimit.store.redis;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;

import dev.ratelimit.Limit;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Demands;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class EncodedFamiliesTests {

	private final EncodedFamilies families = new EncodedFamilies(new RedisKeys("rl:test", HashTag.SUBJECT),
			RedisClock.SERVER, 1);

	@Test
	void limitsThatNoRuleHasAnyMoreAreLetGo() {
		WeakReference<BucketFamily> gone = encoded(Demands.perMinute("gone", 10));
		WeakReference<BucketFamily> joint = encoded(Demands.families("gone", limit(1), limit(2)).get(0));
		await().atMost(Duration.ofSeconds(10)).until(() -> {
			System.gc();
			return gone.get() == null && joint.get() == null;
		});
	}

	@Test
	void limitsOfARuleThatIsThereAreEncodedOnce() {
		List<BucketFamily> joint = Demands.families("rule", limit(1), limit(2));
		EncodedFamily first = this.families.of(joint.get(0));
		System.gc();
		assertThat(this.families.of(joint.get(0))).isSameAs(first);
		assertThat(this.families.of(joint.get(1)).joint().orElseThrow()).isSameAs(first.joint().orElseThrow());
	}

	private WeakReference<BucketFamily> encoded(BucketFamily family) {
		assertThat(this.families.of(family)).isNotNull();
		return new WeakReference<>(family);
	}

	private static Limit limit(long hours) {
		return new Limit("token-bucket", 10, Duration.ofHours(hours), 10);
	}

}
