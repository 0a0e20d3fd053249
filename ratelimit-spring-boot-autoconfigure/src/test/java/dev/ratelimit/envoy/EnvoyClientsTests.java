package dev.ratelimit.envoy;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

import dev.ratelimit.test.clients.ClientPrograms;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that a gRPC implementation in another language, with the {@code .proto} files of
 * Envoy, can read the responses.
 */
@Tag("long")
class EnvoyClientsTests {

	private static final String USER = "{\"domain\":\"edge\",\"descriptors\":[{\"entries\":[{\"key\":\"user\",\"value\":\"bob\"}]}]}";

	private static final String TOKENS = "{\"domain\":\"edge\",\"descriptors\":["
			+ "{\"entries\":[{\"key\":\"model\",\"value\":\"x\"}],\"hits_addend\":{\"value\":\"5000000000\"}},"
			+ "{\"entries\":[{\"key\":\"other\",\"value\":\"x\"}]}]}";

	private static final String NO_DOMAIN = "{\"domain\":\"\",\"descriptors\":[{\"entries\":[{\"key\":\"user\",\"value\":\"bob\"}]}]}";

	@Test
	void responsesAreThoseOfEnvoysFiles(@TempDir Path directory) throws Exception {
		extract(directory);
		try (ConfigurableApplicationContext application = new SpringApplicationBuilder(
				EnvoyServiceContract.Application.class)
			.web(WebApplicationType.NONE)
			.run("--spring.main.banner-mode=off", "--spring.grpc.server.port=0", "--ratelimit.store=memory",
					"--ratelimit.envoy.enabled=true", "--ratelimit.rules.user.descriptor.domain=edge",
					"--ratelimit.rules.user.descriptor.entries=user", "--ratelimit.rules.user.limit=1/h",
					"--ratelimit.rules.model.descriptor.domain=edge",
					"--ratelimit.rules.model.descriptor.entries=model", "--ratelimit.rules.model.limit=8000000000/h")) {
			int port = application.getBean(GrpcServerLifecycle.class).getPort();
			List<JsonNode> responses = ClientPrograms
				.node("envoy.mjs", directory.toString(), "127.0.0.1:" + port,
						"[" + String.join(",", USER, USER, TOKENS, NO_DOMAIN) + "]")
				.stream()
				.map((line) -> JsonMapper.shared().readTree(line))
				.toList();
			assertThat(responses).hasSize(4);
			requireAllowed(responses.get(0));
			requireRejected(responses.get(1));
			requireTokens(responses.get(2));
			assertThat(responses.get(3).get("status").asInt()).as("INVALID_ARGUMENT").isEqualTo(3);
			assertThat(responses.get(3).get("details").asString()).contains("domain");
		}
	}

	private static void requireAllowed(JsonNode response) {
		assertThat(response.get("overall_code").asString()).isEqualTo("OK");
		JsonNode status = response.get("statuses").get(0);
		assertThat(status.get("code").asString()).isEqualTo("OK");
		assertThat(status.get("current_limit").get("name").asString()).isEqualTo("user");
		assertThat(status.get("current_limit").get("requests_per_unit").asLong()).isEqualTo(1);
		assertThat(status.get("current_limit").get("unit").asString()).isEqualTo("HOUR");
		assertThat(status.get("limit_remaining").asLong()).isZero();
	}

	private static void requireRejected(JsonNode response) {
		assertThat(response.get("overall_code").asString()).isEqualTo("OVER_LIMIT");
		assertThat(response.get("statuses").get(0).get("duration_until_reset").get("seconds").asLong()).isBetween(3500L,
				3600L);
		assertThat(response.get("response_headers_to_add")).anySatisfy((header) -> {
			assertThat(header.get("key").asString()).isEqualTo("Retry-After");
			assertThat(Long.parseLong(header.get("value").asString())).isBetween(3500L, 3600L);
		});
	}

	// The value exceeds 32 bits.
	private static void requireTokens(JsonNode response) {
		assertThat(response.get("overall_code").asString()).isEqualTo("OK");
		assertThat(response.get("statuses")).hasSize(2);
		assertThat(response.get("statuses").get(0).get("limit_remaining").asLong()).isEqualTo(3_000_000_000L);
		assertThat(response.get("statuses").get(1).get("current_limit").isNull()).isTrue();
	}

	private static void extract(Path directory) throws IOException, URISyntaxException {
		Path jar = Path.of(RateLimitServiceGrpc.class.getProtectionDomain().getCodeSource().getLocation().toURI());
		try (InputStream bytes = Files.newInputStream(jar); ZipInputStream zip = new ZipInputStream(bytes)) {
			for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
				Path file = directory.resolve(entry.getName()).normalize();
				if (entry.getName().endsWith(".proto") && file.startsWith(directory)) {
					Files.createDirectories(file.getParent());
					Files.write(file, zip.readAllBytes());
				}
			}
		}
	}

}
