package dev.ratelimit.envoy;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.ratelimit.envoy.v3.RateLimitMessages;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that an invalid call gets an error message and is not charged.
 */
@ExtendWith(OutputCaptureExtension.class)
class EnvoyBadInputTests {

	/** The method of the service with raw messages. */
	private static final MethodDescriptor<byte[], byte[]> BYTES = MethodDescriptor.<byte[], byte[]>newBuilder()
		.setType(MethodDescriptor.MethodType.UNARY)
		.setFullMethodName("envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit")
		.setRequestMarshaller(new ByteArrays())
		.setResponseMarshaller(new ByteArrays())
		.build();

	private static ConfigurableApplicationContext application;

	private static EnvoyProbe envoy;

	@BeforeAll
	static void start() {
		application = new SpringApplicationBuilder(EnvoyServiceContract.Application.class).web(WebApplicationType.NONE)
			.run("--spring.main.banner-mode=off", "--spring.grpc.server.port=0", "--ratelimit.envoy.enabled=true",
					"--ratelimit.store=memory", "--ratelimit.rules.all.descriptor.domain=edge",
					"--ratelimit.rules.all.descriptor.entries=user", "--ratelimit.rules.all.key=global",
					"--ratelimit.rules.all.limit=1000/365d");
		envoy = EnvoyProbe.of(application);
	}

	@AfterAll
	static void stop() {
		envoy.close();
		application.close();
	}

	static Stream<Arguments> invalid() {
		RateLimitDescriptor valid = EnvoyProbe.descriptor("user=bob");
		return Stream.of(bad("the domain is empty", (request) -> request.setDomain("").addDescriptors(valid)),
				bad("a request must have 1 to 100 descriptors", (request) -> {
				}),
				bad("a request must have 1 to 100 descriptors",
						(request) -> IntStream.range(0, 101).forEach((i) -> request.addDescriptors(valid))),
				bad("descriptor 1: a descriptor must have 1 to 32 entries",
						(request) -> request.addDescriptors(valid)
							.addDescriptors(RateLimitDescriptor.getDefaultInstance())),
				bad("descriptor 0: a descriptor must have 1 to 32 entries",
						(request) -> request.addDescriptors(EnvoyProbe.descriptor("user=bob;".repeat(33)))),
				bad("descriptor 1: the key of entry 0 is empty",
						(request) -> request.addDescriptors(valid).addDescriptors(EnvoyProbe.descriptor("=bob"))),
				bad("descriptor 1: 'limit' is not supported; limits are those of the rules",
						(request) -> request.addDescriptors(valid)
							.addDescriptors(valid.toBuilder()
								.setLimit(RateLimitDescriptor.RateLimitOverride.newBuilder().setRequestsPerUnit(9)))));
	}

	private static Arguments bad(String reason, Consumer<RateLimitRequest.Builder> request) {
		return Arguments.of(reason, request);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("invalid")
	void invalidCallsAreRejected(String reason, Consumer<RateLimitRequest.Builder> request) {
		long before = left();
		assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(() -> envoy.call(request))
			.satisfies((failure) -> assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT))
			.satisfies((failure) -> assertThat(failure.getStatus().getDescription()).isEqualTo(reason));
		assertThat(left()).isEqualTo(before);
	}

	@Test
	void negativeHitsAreRejected() {
		RateLimitMessages.RateLimitRequest negative = RateLimitMessages.RateLimitRequest.newBuilder()
			.setDomain("edge")
			.addDescriptors(RateLimitMessages.RateLimitDescriptor.newBuilder()
				.addEntries(RateLimitMessages.RateLimitDescriptor.Entry.newBuilder()
					.setKey("user")
					.setValue(ByteString.copyFromUtf8("bob")))
				.setIsNegativeHits(true))
			.build();
		MethodDescriptor<RateLimitMessages.RateLimitRequest, RateLimitMessages.RateLimitResponse> method = MethodDescriptor.<RateLimitMessages.RateLimitRequest, RateLimitMessages.RateLimitResponse>newBuilder()
			.setType(MethodDescriptor.MethodType.UNARY)
			.setFullMethodName("envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit")
			.setRequestMarshaller(ProtoUtils.marshaller(RateLimitMessages.RateLimitRequest.getDefaultInstance()))
			.setResponseMarshaller(ProtoUtils.marshaller(RateLimitMessages.RateLimitResponse.getDefaultInstance()))
			.build();
		assertThatExceptionOfType(StatusRuntimeException.class)
			.isThrownBy(() -> ClientCalls.blockingUnaryCall(envoy.channel(), method, CallOptions.DEFAULT, negative))
			.withMessage("INVALID_ARGUMENT: descriptor 0: 'is_negative_hits' is not supported");
	}

	@Test
	void brokenBytesLeaveNoStackTraces(CapturedOutput output) {
		byte[] broken = { 10, 127, 1, 2, 3 };
		assertThatExceptionOfType(StatusRuntimeException.class)
			.isThrownBy(() -> ClientCalls.blockingUnaryCall(envoy.channel(), BYTES, CallOptions.DEFAULT, broken))
			.withMessage("INVALID_ARGUMENT: the request cannot be read");
		assertThat(envoy.call("user=bob").getOverallCode()).isEqualTo(Code.OK);
		assertThat(output.getOut()).doesNotContain("InvalidProtocolBufferException");
	}

	// With an error, Envoy would allow the request by default, so clients could bypass
	// the limit.
	@Test
	void aValueThatIsNoTextIsLimited() {
		RateLimitMessages.RateLimitDescriptor.Entry user = RateLimitMessages.RateLimitDescriptor.Entry.newBuilder()
			.setKey("user")
			.setValue(ByteString.copyFrom(new byte[] { 'a', -1, -2 }))
			.build();
		RateLimitMessages.RateLimitRequest request = RateLimitMessages.RateLimitRequest.newBuilder()
			.setDomain("edge")
			.addDescriptors(RateLimitMessages.RateLimitDescriptor.newBuilder().addEntries(user))
			.build();
		List<RateLimitMessages.RateLimitResponse> responses = Stream
			.generate(() -> ClientCalls.blockingUnaryCall(envoy.channel(), BYTES, CallOptions.DEFAULT,
					request.toByteArray()))
			.limit(2)
			.map(EnvoyBadInputTests::response)
			.toList();
		assertThat(responses).allSatisfy((response) -> assertThat(response.getOverallCode())
			.isEqualTo(RateLimitMessages.RateLimitResponse.Code.OK));
		assertThat(responses.get(1).getStatuses(0).getLimitRemaining())
			.isEqualTo(responses.get(0).getStatuses(0).getLimitRemaining() - 1);
	}

	private static RateLimitMessages.RateLimitResponse response(byte[] bytes) {
		try {
			return RateLimitMessages.RateLimitResponse.parseFrom(bytes);
		}
		catch (InvalidProtocolBufferException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void aRequestThatIsTooLongIsOverTheLimit() {
		assertThat(envoy.call("user=" + "x".repeat(2 * 1024 * 1024)).getOverallCode()).isEqualTo(Code.OVER_LIMIT);
		assertThat(envoy
			.call((request) -> IntStream.range(0, 10)
				.forEach((i) -> request.addDescriptors(EnvoyProbe.descriptor("user=" + i + "x".repeat(60_000)))))
			.getOverallCode()).isEqualTo(Code.OK);
	}

	@Test
	void hostileValuesAreValues() {
		for (String value : new String[] { "", "{}", "a\r\nb", "\u0000", "x".repeat(60_000), "%7B", "~none", "a|b" }) {
			assertThat(envoy.call("user=" + value).getOverallCode()).isEqualTo(Code.OK);
		}
	}

	private static long left() {
		return envoy.call((request) -> request.addDescriptors(EnvoyProbe.descriptor("user=bob", 0)))
			.getStatuses(0)
			.getLimitRemaining();
	}

}
