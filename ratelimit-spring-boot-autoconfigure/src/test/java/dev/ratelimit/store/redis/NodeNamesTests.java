package dev.ratelimit.store.redis;

import java.util.List;

import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class NodeNamesTests {

	private final RedisNodes.NodeNames names = new RedisNodes.NodeNames();

	@Test
	void areMadeOncePerAddress() {
		RedisClusterNode node = node("a", "10.0.0.1");
		assertThat(this.names.of(node)).isEqualTo("10.0.0.1:6379").isSameAs(this.names.of(node));
	}

	@Test
	void followANodeToAnotherAddress() {
		assertThat(this.names.of(node("a", "10.0.0.1"))).isEqualTo("10.0.0.1:6379");
		assertThat(this.names.of(node("a", "10.0.0.7"))).isEqualTo("10.0.0.7:6379");
		assertThat(this.names.size()).isEqualTo(1);
	}

	@Test
	void ofNodesThatHaveLeftAreForgotten() {
		RedisClusterNode stays = node("a", "10.0.0.1");
		this.names.of(stays);
		this.names.of(node("b", "10.0.0.2"));
		this.names.retain(List.of(stays));
		assertThat(this.names.size()).isEqualTo(1);
	}

	private static RedisClusterNode node(String id, String host) {
		RedisClusterNode node = RedisClusterNode.of(id);
		node.setUri(RedisURI.create(host, 6379));
		return node;
	}

}
