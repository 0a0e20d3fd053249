package dev.ratelimit.web.grpc;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that clients that cancel their calls at any time hold no slot.
 */
class GrpcCancelledCallsTests {

	private static final int CALLS = Integer.getInteger("test.cancelled.calls", 20_000);

	@Test
	void cancelledCallsLeaveNoSlots() {
		try (ConfigurableApplicationContext application = new SpringApplicationBuilder(GrpcServicesTests.Services.class)
			.web(WebApplicationType.NONE)
			.run("--spring.main.banner-mode=off", "--spring.grpc.server.port=0", "--ratelimit.store=memory",
					"--ratelimit.rules.all=/demo.v1.Greeter/** 20 concurrent per ip");
				GrpcProbe client = new GrpcProbe(application)) {
			for (int i = 0; i < CALLS; i += 100) {
				GrpcServicesTests.cancel(client, 100);
				client.call(GreeterService.HELLO, "");
			}
			Awaitility.await()
				.atMost(Duration.ofSeconds(30))
				.untilAsserted(() -> assertThat(client.call(GreeterService.HELLO, "").header("x-ratelimit-remaining"))
					.contains("19"));
		}
	}

}
