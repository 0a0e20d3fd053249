package dev.ratelimit.envoy;

import java.util.Random;

import com.google.protobuf.Duration;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UInt64Value;
import dev.ratelimit.envoy.v3.RateLimitMessages;
import io.envoyproxy.envoy.config.core.v3.HeaderValue;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the messages of this library equal those of Envoy in the wire format.
 */
class EnvoyMessagesTests {

	private static final int COUNT = 10_000;

	private final Random random = new Random(20_261_127);

	@Test
	void requestsThatEnvoyWritesAreReadWhole() throws InvalidProtocolBufferException {
		for (int i = 0; i < COUNT; i++) {
			RateLimitRequest theirs = request();
			RateLimitMessages.RateLimitRequest ours = RateLimitMessages.RateLimitRequest
				.parseFrom(theirs.toByteArray());
			assertThat(ours.getUnknownFields().asMap()).isEmpty();
			assertThat(ours.getDescriptorsList())
				.allSatisfy((descriptor) -> assertThat(descriptor.getUnknownFields().asMap()).isEmpty());
			assertThat(ours.getDomain()).isEqualTo(theirs.getDomain());
			assertThat(ours.getDescriptorsCount()).isEqualTo(theirs.getDescriptorsCount());
			assertThat(RateLimitRequest.parseFrom(ours.toByteArray())).isEqualTo(theirs);
		}
	}

	@Test
	void responsesThatAreWrittenAreReadWholeByEnvoy() throws InvalidProtocolBufferException {
		for (int i = 0; i < COUNT; i++) {
			RateLimitResponse theirs = response();
			RateLimitMessages.RateLimitResponse ours = RateLimitMessages.RateLimitResponse
				.parseFrom(theirs.toByteArray());
			assertThat(ours.getUnknownFields().asMap()).isEmpty();
			assertThat(ours.getOverallCodeValue()).isEqualTo(theirs.getOverallCodeValue());
			assertThat(RateLimitResponse.parseFrom(ours.toByteArray())).isEqualTo(theirs);
		}
	}

	private RateLimitRequest request() {
		RateLimitRequest.Builder request = RateLimitRequest.newBuilder()
			.setDomain(text())
			.setHitsAddend(this.random.nextInt());
		for (int i = this.random.nextInt(5); i > 0; i--) {
			RateLimitDescriptor.Builder descriptor = RateLimitDescriptor.newBuilder();
			for (int j = this.random.nextInt(5); j > 0; j--) {
				descriptor.addEntries(RateLimitDescriptor.Entry.newBuilder().setKey(text()).setValue(text()));
			}
			if (this.random.nextBoolean()) {
				descriptor.setHitsAddend(UInt64Value.of(this.random.nextLong()));
			}
			request.addDescriptors(descriptor);
		}
		return request.build();
	}

	private RateLimitResponse response() {
		RateLimitResponse.Builder response = RateLimitResponse.newBuilder().setOverallCodeValue(this.random.nextInt(3));
		for (int i = this.random.nextInt(5); i > 0; i--) {
			response.addStatuses(RateLimitResponse.DescriptorStatus.newBuilder()
				.setCodeValue(this.random.nextInt(3))
				.setCurrentLimit(RateLimitResponse.RateLimit.newBuilder()
					.setName(text())
					.setRequestsPerUnit(this.random.nextInt())
					.setUnitValue(this.random.nextInt(8)))
				.setLimitRemaining(this.random.nextInt())
				.setDurationUntilReset(Duration.newBuilder().setSeconds(this.random.nextInt())));
			response.addResponseHeadersToAdd(HeaderValue.newBuilder().setKey(text()).setValue(text()));
		}
		return response.build();
	}

	private String text() {
		return this.random.ints(this.random.nextInt(8), ' ', 0x2fff)
			.collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
			.toString();
	}

}
