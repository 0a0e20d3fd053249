package dev.ratelimit.address;

import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import dev.ratelimit.test.GoldenVectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

class ClientAddressVectorsTests {

	static Stream<JsonNode> vectors() {
		return StreamSupport.stream(GoldenVectors.read("/vectors/client-address.json").spliterator(), false);
	}

	@Test
	void allAreThere() {
		assertThat(vectors()).hasSize(25);
	}

	@ParameterizedTest
	@MethodSource
	void vectors(JsonNode vector) {
		ClientAddresses addresses = ClientAddresses.OF_PEER.behind(IpNetworks.of(texts(vector.get("trusted"))),
				AddressHeader.of(vector.get("header").asString()));
		ClientAddress client = addresses.find(IpAddress.parse(vector.get("peer").asString()), (name) -> {
			assertThat(name).isEqualTo(vector.get("header").asString());
			return texts(vector.get("values"));
		});
		assertThat(client.address()).hasToString(vector.get("client").asString());
		assertThat(client.key()).isEqualTo(vector.get("key").asString());
	}

	private static List<String> texts(JsonNode array) {
		return array.valueStream().map(JsonNode::asString).toList();
	}

}
