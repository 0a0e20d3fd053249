package dev.ratelimit.sample;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.ActiveProfiles;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "spring.grpc.server.port=0")
@ActiveProfiles("grpc")
class GrpcTests extends GrpcContract {

	@TempDir
	private static Path directory;

	@LocalServerPort
	private int port;

	// The end of a minute would allow more calls.
	@DynamicPropertySource
	static void useYears(DynamicPropertyRegistry registry) throws IOException {
		String text = Files.readString(Path.of("src/main/envoy/ratelimit.yaml"));
		assertThat(text).containsOnlyOnce("unit: minute");
		Path file = Files.writeString(directory.resolve("ratelimit.yaml"), text.replace("unit: minute", "unit: year"));
		registry.add("ratelimit.live.file", file::toString);
	}

	@Override
	int port() {
		return this.port;
	}

}
