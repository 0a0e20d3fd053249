package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.List;

import dev.ratelimit.base.Finding;
import dev.ratelimit.base.FindingCode;
import dev.ratelimit.test.redis.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests limits of a day or longer with a Redis that may or may not lose counts.
 */
@Tag("redis")
class QuotaStorageCheckTests {

	private static ApplicationContextRunner application(TestRedis redis) {
		return EnableAuto.plain()
			.withPropertyValues("ratelimit.redis.host=" + redis.host(), "ratelimit.redis.port=" + redis.port(),
					"ratelimit.warm-up=0", "ratelimit.rules.short.limit=10/h",
					"ratelimit.rules.short.programmatic=true", "ratelimit.rules.quota.limits=10/s,1000/month UTC",
					"ratelimit.rules.quota.programmatic=true", "ratelimit.rules.local.limit=10/d",
					"ratelimit.rules.local.store=local", "ratelimit.rules.local.programmatic=true",
					"ratelimit.rules.off.limit=10/d", "ratelimit.rules.off.mode=off",
					"ratelimit.rules.off.programmatic=true");
	}

	@Test
	void aQuotaWithoutAnAppendOnlyFileIsFound() {
		try (TestRedis redis = TestRedis.start()) {
			application(redis).run((context) -> {
				QuotaStorageCheck check = context.getBean(QuotaStorageCheck.class);
				Awaitility.await().until(() -> !check.findings().isEmpty());
				assertThat(check.findings()).singleElement().satisfies((finding) -> {
					assertThat(finding.code()).isEqualTo(FindingCode.LOSSY_QUOTA);
					assertThat(finding.location()).isEqualTo("ratelimit.rules.quota");
					assertThat(finding.detail()).contains("no append-only file");
				});
			});
		}
	}

	@Test
	void aQuotaThatCanBeEvictedIsFoundAndNoOtherOne() {
		try (TestRedis redis = TestRedis.start(TestRedis.APPENDING)) {
			redis.command("CONFIG", "SET", "maxmemory", "100mb");
			redis.command("CONFIG", "SET", "maxmemory-policy", "volatile-lru");
			application(redis).run((context) -> {
				QuotaStorageCheck check = context.getBean(QuotaStorageCheck.class);
				Awaitility.await().until(() -> !check.findings().isEmpty());
				assertThat(check.findings()).extracting(Finding::detail)
					.containsExactly(
							"Redis evicts keys when its memory is full, and a count that is evicted begins anew.");
			});
			redis.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
			application(redis).run((context) -> {
				long before = Long.parseLong(redis.info("total_commands_processed"));
				Awaitility.await()
					.pollDelay(Duration.ofSeconds(2))
					.until(() -> Long.parseLong(redis.info("total_commands_processed")) > before);
				assertThat(context.getBean(QuotaStorageCheck.class).findings()).isEqualTo(List.of());
			});
		}
	}

}
