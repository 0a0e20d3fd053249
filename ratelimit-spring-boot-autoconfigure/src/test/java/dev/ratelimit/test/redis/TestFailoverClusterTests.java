package dev.ratelimit.test.redis;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@Tag("long")
@Tag("nightly")
class TestFailoverClusterTests {

	private final TestFailoverCluster cluster = TestFailoverCluster.start();

	private final int slot = this.cluster.slot("{tag}");

	private final TestRedis master = this.cluster.master(this.slot);

	private final TestRedis replica = this.cluster.replica(this.master);

	@AfterEach
	void close() {
		this.cluster.close();
	}

	@Test
	void theReplicaTakesThePlaceOfAKilledMasterWithItsData() {
		this.master.command("SET", "{tag}", "value");
		this.cluster.awaitReplicated(this.master);
		this.master.kill();
		this.cluster.awaitPromotion(this.replica, this.master);
		assertThat(this.cluster.master(this.slot)).isSameAs(this.replica);
		assertThat(this.replica.command("GET", "{tag}")).isEqualTo("value");
		this.master.restart();
		this.cluster.awaitOk();
		assertThat(this.cluster.replica(this.replica)).isSameAs(this.master);
	}

	@Test
	void masterAndReplicaChangePlaces() {
		this.master.command("SET", "{tag}", "value");
		this.cluster.failOver(this.master);
		assertThat(this.replica.command("GET", "{tag}")).isEqualTo("value");
		assertThat(this.cluster.master(this.slot)).isSameAs(this.replica);
		assertThat(this.cluster.replica(this.replica)).isSameAs(this.master);
	}

	@Test
	void aSlotMovesWithItsKeys() {
		String elsewhere = this.cluster.apart("name")
			.stream()
			.filter((name) -> this.cluster.master(this.cluster.slot(name)) != this.master)
			.findFirst()
			.orElseThrow();
		TestRedis target = this.cluster.master(this.cluster.slot(elsewhere));
		for (int i = 0; i < 5; i++) {
			this.master.command("SET", "{tag}" + i, "value");
		}
		SlotMove move = this.cluster.move(this.slot, target);
		move.open();
		assertThat(move.moveKeys(3)).isTrue();
		assertThat(move.moveKeys(3)).isTrue();
		assertThat(move.moveKeys(3)).isFalse();
		assertThatIllegalStateException().isThrownBy(() -> this.master.command("GET", "{tag}0"))
			.withMessageStartingWith("ASK");
		move.close();
		assertThat(target.command("GET", "{tag}4")).isEqualTo("value");
		assertThat(this.cluster.master(this.slot)).isSameAs(target);
	}

}
