package dev.ratelimit.test.redis;

import java.io.UncheckedIOException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Tag("long")
@Tag("nightly")
class TestSentinelTests {

	private final TestSentinel group = TestSentinel.start();

	@AfterEach
	void close() {
		this.group.close();
	}

	@Test
	void aReplicaTakesThePlaceOfAKilledMasterWithItsData() {
		TestRedis master = this.group.master();
		master.command("SET", "key", "value");
		this.group.awaitReplicated();
		master.kill();
		TestRedis promoted = this.group.awaitPromotion(master);
		assertThat(this.group.replicas(master)).contains(promoted);
		assertThat(promoted.command("GET", "key")).isEqualTo("value");
		assertThat(promoted.command("SET", "key", "other")).isEqualTo("OK");
	}

	@Test
	void aReplicaTakesThePlaceOfAMasterThatStandsStill() {
		TestRedis master = this.group.master();
		master.pause();
		TestRedis promoted = this.group.awaitPromotion(master);
		assertThat(promoted).isNotSameAs(master);
		promoted.command("SET", "key", "value");
		master.resume();
		this.group.awaitReplicated();
		assertThat(master.command("GET", "key")).isEqualTo("value");
		this.group.close();
		assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> promoted.command("PING"));
	}

}
