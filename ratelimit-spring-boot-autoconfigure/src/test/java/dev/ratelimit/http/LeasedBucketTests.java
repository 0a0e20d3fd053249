package dev.ratelimit.http;

import java.util.UUID;

import dev.ratelimit.Decision;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.Source;
import dev.ratelimit.actuate.RateLimitEndpoint;
import dev.ratelimit.store.lease.LeaseStatus;
import dev.ratelimit.test.redis.WithRedis;
import io.micrometer.core.instrument.MeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests a leased rule in an application with Redis.
 */
@WithRedis
@SpringBootTest(classes = ContractApplication.class, webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "spring.config.name=contract", "ratelimit.redis.key-prefix=rl:${random.uuid}",
				"spring.main.web-application-type=servlet", "management.endpoints.web.exposure.include=ratelimit",
				"ratelimit.deadline=5s", "ratelimit.rules.hot.limit=6000/365d", "ratelimit.rules.hot.programmatic=true",
				"ratelimit.rules.hot.algorithm=fixed-window", "ratelimit.rules.hot.consistency=auto",
				"ratelimit.leases.hot-rate=10", "ratelimit.leases.length=20s" })
class LeasedBucketTests {

	@Autowired
	private RateLimiter limiter;

	@Autowired
	private LeaseStatus leases;

	@Autowired
	private RateLimitEndpoint endpoint;

	@Autowired
	private MeterRegistry meters;

	@Test
	void mostDecisionsOnABusyBucketNeedNoRedis() throws Exception {
		String subject = "user:" + UUID.randomUUID();
		long local = 0;
		for (int i = 0; i < 2000; i++) {
			Decision decision = this.limiter.acquire("hot", subject).block();
			assertThat(decision).isNotNull();
			assertThat(decision.allowed()).isTrue();
			assertThat(decision.verdicts().get(0).remaining()).as("but for units that are on their way")
				.isBetween(5799L - i, 6199L - i);
			local += (decision.source() == Source.LOCAL) ? 1 : 0;
		}
		assertThat(local).isGreaterThan(1800);
		assertThat(this.leases.local()).isEqualTo(local);
		// Another lease may still be pending.
		Awaitility.await()
			.untilAsserted(
					() -> assertThat(this.endpoint.status("hot", subject)).containsEntry("held", this.leases.held()));
		assertThat(this.endpoint.rule("hot")).containsEntry("consistency", "auto");
		assertThat(this.meters.get("ratelimit.lease.decisions").tag("path", "local").functionCounter().count())
			.isEqualTo(local);
		assertThat(this.meters.get("ratelimit.lease.spent").functionCounter().count()).isEqualTo(local);
		Awaitility.await()
			.untilAsserted(() -> assertThat(this.meters.get("ratelimit.lease.held").gauge().value())
				.isEqualTo(this.leases.held()));
	}

}
