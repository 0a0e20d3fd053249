package dev.ratelimit.web.grpc;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import com.google.protobuf.StringValue;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import io.grpc.protobuf.ProtoUtils;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.grpc.server.exception.GrpcExceptionHandler;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the end of a call frees its slots, and that charges are corrected by the
 * status that the client receives.
 */
class GrpcCallEndsTests {

	private static final String[] ONE_SLOT = { "rules.slots.paths=/demo.v1.Greeter/**", "rules.slots.key=ip",
			"rules.slots.limit=1 concurrent" };

	@Test
	void messagesThatCannotBeReadHoldNoSlot() {
		try (ConfigurableApplicationContext application = GrpcServicesTests.start(GrpcServicesTests.Services.class,
				ONE_SLOT); GrpcProbe client = new GrpcProbe(application)) {
			CompletableFuture<Status> closed = new CompletableFuture<>();
			ClientCall<byte[], StringValue> call = client.channel().newCall(Unreadable.HELLO, CallOptions.DEFAULT);
			call.start(new ClientCall.Listener<>() {

				@Override
				public void onClose(Status status, Metadata trailers) {
					closed.complete(status);
				}

			}, new Metadata());
			call.request(1);
			// The client does not half-close the call, because the service would then
			// respond.
			call.sendMessage(new byte[] { 10, 100, 1 });
			assertThat(closed.join().getCode()).isEqualTo(Status.Code.UNKNOWN);
			// gRPC closes the call before it notifies the listener.
			Awaitility.await()
				.untilAsserted(() -> assertThat(client.codes(1, GreeterService.HELLO)).containsExactly(Status.Code.OK));
		}
	}

	@Test
	void anErrorOfTheServiceIsAFailureOfIt() {
		try (ConfigurableApplicationContext application = GrpcServicesTests.start(GrpcServicesTests.Services.class,
				"rules.all.paths=/demo.v1.Greeter/**", "rules.all.key=ip", "rules.all.limit=1/h",
				"rules.all.refund.status=5xx"); GrpcProbe client = new GrpcProbe(application)) {
			assertThat(client.call(GreeterService.FAIL, "error").status().getCode()).isEqualTo(Status.Code.UNKNOWN);
			assertThat(client.codes(2, GreeterService.HELLO)).containsExactly(Status.Code.OK,
					Status.Code.RESOURCE_EXHAUSTED);
		}
	}

	@Test
	void aCallEndsAfterTheLongestTimeOfItsSlot() {
		try (ConfigurableApplicationContext application = GrpcServicesTests.start(GrpcServicesTests.Services.class,
				ONE_SLOT[0], ONE_SLOT[1], ONE_SLOT[2], "rules.slots.max-hold=1s");
				GrpcProbe client = new GrpcProbe(application)) {
			GreeterService service = application.getBean(GreeterService.class);
			service.release = new CountDownLatch(1);
			assertThat(client.call(GreeterService.HOLD, "").status())
				.satisfies((status) -> assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE))
				.satisfies((status) -> assertThat(status.getDescription()).contains("longer than it may hold a slot"));
			// The longest time applies to later calls, too.
			awaitHello(client);
			service.release.countDown();
			awaitHello(client);
			awaitHello(client);
		}
	}

	private static void awaitHello(GrpcProbe client) {
		Awaitility.await()
			.pollDelay(Duration.ZERO)
			.untilAsserted(() -> assertThat(client.codes(1, GreeterService.HELLO)).containsExactly(Status.Code.OK));
	}

	@ParameterizedTest
	@CsvSource({ "respond, count-only", "error, refund" })
	void aCallWhoseClientIsGoneKeepsItsChargeWhateverTheServiceResponds(String how, String correction) {
		try (ConfigurableApplicationContext application = GrpcServicesTests.start(GrpcServicesTests.Services.class,
				"rules.all.paths=/demo.v1.Greeter/**", "rules.all.key=ip", "rules.all.limit=1/h",
				"rules.all." + correction + ".status=5xx"); GrpcProbe client = new GrpcProbe(application)) {
			GreeterService service = application.getBean(GreeterService.class);
			service.release = new CountDownLatch(1);
			ClientCall<StringValue, StringValue> call = client.begin(GreeterService.HOLD, how);
			Awaitility.await().until(() -> service.held.get() != null);
			call.cancel("gone", null);
			Awaitility.await().until(() -> service.held.get().isCancelled());
			// Until this point, the blocked thread of the service prevents the
			// notification by gRPC.
			service.release.countDown();
			Awaitility.await().untilAsserted(() -> assertThat(service.released).hasValue(1));
			assertThat(client.codes(100, GreeterService.HELLO)).containsOnly(Status.Code.RESOURCE_EXHAUSTED);
		}
	}

	@Test
	void theStatusIsTheOneThatTheApplicationMapsAnExceptionTo() {
		try (ConfigurableApplicationContext application = GrpcServicesTests.start(Mapping.class,
				"rules.all.paths=/demo.v1.Greeter/**", "rules.all.key=ip", "rules.all.limit=2/h",
				"rules.all.count-only.status=400"); GrpcProbe client = new GrpcProbe(application)) {
			assertThat(client.codes(3, GreeterService.HELLO)).containsOnly(Status.Code.OK);
			for (int i = 0; i < 2; i++) {
				assertThat(client.call(GreeterService.FAIL, "throw").status().getCode())
					.isEqualTo(Status.Code.INVALID_ARGUMENT);
			}
			assertThat(client.codes(1, GreeterService.HELLO)).containsExactly(Status.Code.RESOURCE_EXHAUSTED);
		}
	}

	@ParameterizedTest
	@CsvSource({ "grpc.health.v1.Health, true", "grpc.reflection.v1.ServerReflection, true",
			"grpc.channelz.v1.Channelz, true", "envoy.service.ratelimit.v3.RateLimitService, true",
			"grpc.orders.v1.Orders, false", "grpc.Orders, false", "demo.v1.Greeter, false" })
	void onlyServicesOfGrpcItselfAreExempt(String service, boolean exempt) {
		assertThat(GrpcCallWatcher.isExempt(service)).isEqualTo(exempt);
	}

	/** Sends invalid bytes instead of a message. */
	private static final class Unreadable implements MethodDescriptor.Marshaller<byte[]> {

		static final MethodDescriptor<byte[], StringValue> HELLO = MethodDescriptor.<byte[], StringValue>newBuilder()
			.setType(MethodType.UNARY)
			.setFullMethodName(GreeterService.HELLO.getFullMethodName())
			.setRequestMarshaller(new Unreadable())
			.setResponseMarshaller(ProtoUtils.marshaller(StringValue.getDefaultInstance()))
			.build();

		@Override
		public InputStream stream(byte[] value) {
			return new ByteArrayInputStream(value);
		}

		@Override
		public byte[] parse(InputStream stream) {
			throw new UnsupportedOperationException();
		}

	}

	/** An application that maps an exception. */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Mapping {

		@Bean
		GreeterService greeter() {
			return new GreeterService();
		}

		@Bean
		GrpcExceptionHandler illegalState() {
			return (failure) -> (failure instanceof IllegalStateException) ? Status.INVALID_ARGUMENT.asException()
					: null;
		}

	}

}
