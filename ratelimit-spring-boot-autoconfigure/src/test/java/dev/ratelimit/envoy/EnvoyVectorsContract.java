package dev.ratelimit.envoy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import dev.ratelimit.test.GoldenVectors;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the documented behavior of the rate limit service of Envoy, with files in its
 * format, calls, and responses. The field {@code differs} of a case describes a different
 * behavior of that service. Each case has a separate domain, and one application serves
 * all of them.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class EnvoyVectorsContract {

	private ConfigurableApplicationContext application;

	private EnvoyProbe envoy;

	/**
	 * Return the properties of the store.
	 * @return the properties
	 */
	abstract List<String> store();

	/**
	 * Return whether the other limits of a rejected call are measured. Those on other
	 * nodes of a cluster are not.
	 * @return whether other limits are measured
	 */
	boolean measuresWhatIsNotCharged() {
		return true;
	}

	static Stream<JsonNode> cases() {
		return Stream.of("look-ups", "charges", "modes")
			.flatMap((name) -> StreamSupport
				.stream(GoldenVectors.read("/vectors/envoy/" + name + ".json").spliterator(), false));
	}

	@BeforeAll
	void start(@TempDir Path directory) throws IOException {
		// JSON is also valid YAML.
		Path file = Files.writeString(directory.resolve("config.yaml"),
				cases().map((one) -> one.get("config").toString()).collect(Collectors.joining("\n---\n")));
		List<String> arguments = new ArrayList<>(store());
		arguments.addAll(List.of("--spring.main.banner-mode=off", "--spring.grpc.server.port=0",
				"--ratelimit.envoy.enabled=true", "--management.health.redis.enabled=false",
				"--ratelimit.live.source=file", "--ratelimit.live.file=" + file));
		this.application = new SpringApplicationBuilder(EnvoyServiceContract.Application.class)
			.web(WebApplicationType.NONE)
			.run(arguments.toArray(String[]::new));
		this.envoy = EnvoyProbe.of(this.application);
	}

	@AfterAll
	void stop() {
		this.envoy.close();
		this.application.close();
	}

	@ParameterizedTest
	@MethodSource("cases")
	void responsesAreAsDocumented(JsonNode vector) {
		String domain = vector.get("config").get("domain").asString();
		int number = 0;
		for (JsonNode call : vector.get("calls")) {
			String description = vector.get("name").asString() + ", call " + number++;
			RateLimitRequest request = request(domain, call);
			if (call.has("eventually")) {
				// A debt is written after the response.
				Awaitility.await().untilAsserted(() -> require(call, request, description));
			}
			else {
				require(call, request, description);
			}
		}
	}

	private void require(JsonNode call, RateLimitRequest request, String description) {
		for (int i = 1; i < call.path("times").asInt(1); i++) {
			assertThat(this.envoy.call(request).getOverallCode().name()).as(description)
				.isEqualTo(call.get("code").asString());
		}
		RateLimitResponse response = this.envoy.call(request);
		assertThat(response.getOverallCode().name()).as(description).isEqualTo(call.get("code").asString());
		assertThat(response.getStatusesList()).as(description).hasSize(call.get("statuses").size());
		for (int i = 0; i < response.getStatusesCount(); i++) {
			DescriptorStatus status = response.getStatuses(i);
			boolean unmeasured = response.getOverallCode() == Code.OVER_LIMIT && status.getCode() == Code.OK
					&& !status.hasCurrentLimit() && !measuresWhatIsNotCharged();
			JsonNode expected = call.get("statuses").get(i);
			assertThat((unmeasured) ? status.getCode().name() : text(status)).as(description)
				.isEqualTo((unmeasured) ? expected.get("code").asString() : text(expected));
		}
	}

	private static RateLimitRequest request(String domain, JsonNode call) {
		RateLimitRequest.Builder request = RateLimitRequest.newBuilder()
			.setDomain(domain)
			.setHitsAddend(call.path("hits").asInt(0));
		call.get("descriptors").forEach((descriptor) -> request.addDescriptors(descriptor(descriptor)));
		return request.build();
	}

	private static RateLimitDescriptor descriptor(JsonNode descriptor) {
		return (descriptor.isString()) ? EnvoyProbe.descriptor(descriptor.asString())
				: EnvoyProbe.descriptor(descriptor.get("entries").asString(), descriptor.get("hits").asLong());
	}

	private static String text(JsonNode status) {
		String limit = (status.has("limit")) ? status.get("limit").asLong() + "/" + status.get("unit").asString()
				: "none";
		return text(status.get("code").asString(), limit, status.path("remaining").asLong(0));
	}

	private static String text(DescriptorStatus status) {
		String limit = (status.hasCurrentLimit())
				? Integer.toUnsignedLong(status.getCurrentLimit().getRequestsPerUnit()) + "/"
						+ status.getCurrentLimit().getUnit()
				: "none";
		return text(status.getCode().name(), limit, Integer.toUnsignedLong(status.getLimitRemaining()));
	}

	private static String text(String code, String limit, long remaining) {
		return code + ", limit " + limit + ", remaining " + remaining;
	}

}
