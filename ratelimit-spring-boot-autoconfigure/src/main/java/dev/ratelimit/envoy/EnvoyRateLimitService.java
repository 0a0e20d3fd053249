package dev.ratelimit.envoy;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.envoy.v3.RateLimitMessages.RateLimitDescriptor;
import dev.ratelimit.envoy.v3.RateLimitMessages.RateLimitRequest;
import dev.ratelimit.envoy.v3.RateLimitMessages.RateLimitResponse;
import dev.ratelimit.rule.Descriptor;
import io.grpc.BindableService;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Envoy's rate limit service. No thread waits for a decision. Thread-safe.
 *
 * @see <a href=
 * "https://www.envoyproxy.io/docs/envoy/latest/api-v3/service/ratelimit/v3/rls.proto">Envoy's
 * rate limit service</a>
 */
final class EnvoyRateLimitService implements BindableService {

	private static final Log logger = LogFactory.getLog(EnvoyRateLimitService.class);

	private static final String NAME = "envoy.service.ratelimit.v3.RateLimitService";

	private static final MethodDescriptor<RateLimitRequest, RateLimitResponse> METHOD = MethodDescriptor
		.<RateLimitRequest, RateLimitResponse>newBuilder()
		.setType(MethodType.UNARY)
		.setFullMethodName(MethodDescriptor.generateFullMethodName(NAME, "ShouldRateLimit"))
		.setRequestMarshaller(new BoundedMarshaller(ProtoUtils.marshaller(RateLimitRequest.getDefaultInstance())))
		.setResponseMarshaller(ProtoUtils.marshaller(RateLimitResponse.getDefaultInstance()))
		.build();

	/** The time that a response takes to reach Envoy. */
	private static final long RETURN_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

	private static final RateLimitResponse OVER_LIMIT = RateLimitResponse.newBuilder()
		.setOverallCode(RateLimitResponse.Code.OVER_LIMIT)
		.build();

	private final DescriptorGate gate;

	private final EnvoyResponses responses;

	private final long deadlineNanos;

	/**
	 * Create a service.
	 * @param gate decides calls
	 * @param responses makes responses
	 * @param deadlineNanos the maximum time that a call waits for the store, unless its
	 * own deadline is earlier
	 */
	EnvoyRateLimitService(DescriptorGate gate, EnvoyResponses responses, long deadlineNanos) {
		this.gate = gate;
		this.responses = responses;
		this.deadlineNanos = deadlineNanos;
	}

	@Override
	public ServerServiceDefinition bindService() {
		return ServerServiceDefinition.builder(NAME)
			.addMethod(METHOD, ServerCalls.asyncUnaryCall(this::shouldRateLimit))
			.build();
	}

	private void shouldRateLimit(RateLimitRequest request, StreamObserver<RateLimitResponse> observer) {
		if (request == BoundedMarshaller.OVERSIZED) {
			// The call is rejected without an error, because Envoy allows requests after
			// errors, and clients could control the size of values.
			observer.onNext(OVER_LIMIT);
			observer.onCompleted();
			return;
		}
		Optional<String> invalid = Validation.reason(request);
		if (invalid.isPresent()) {
			observer.onError(Status.INVALID_ARGUMENT.withDescription(invalid.get()).asRuntimeException());
			return;
		}
		// Canceled calls are not refunded, because Envoy allows their requests.
		((ServerCallStreamObserver<RateLimitResponse>) observer).setOnCancelHandler(() -> {
		});
		this.gate.decide(request, budgetNanos()).thenApply(this.responses::of).whenComplete((response, failure) -> {
			if (failure == null) {
				observer.onNext(response);
				observer.onCompleted();
			}
			else {
				logger.error("A call of Envoy failed", failure);
				observer.onError(Status.INTERNAL.asRuntimeException());
			}
		});
	}

	private long budgetNanos() {
		Deadline own = Context.current().getDeadline();
		return (own != null)
				? Math.max(0, Math.min(this.deadlineNanos, own.timeRemaining(TimeUnit.NANOSECONDS) - RETURN_NANOS))
				: this.deadlineNanos;
	}

	/**
	 * Validates a call before it is charged.
	 */
	private static final class Validation {

		private static final int MAX_DESCRIPTORS = 100;

		private Validation() {
		}

		static Optional<String> reason(RateLimitRequest request) {
			if (request == BoundedMarshaller.UNREADABLE) {
				return Optional.of("the request cannot be read");
			}
			if (request.getDomain().isEmpty()) {
				return Optional.of("the domain is empty");
			}
			int count = request.getDescriptorsCount();
			if (count == 0 || count > MAX_DESCRIPTORS) {
				return Optional.of("a request must have 1 to " + MAX_DESCRIPTORS + " descriptors");
			}
			for (int i = 0; i < count; i++) {
				Optional<String> reason = reason(request.getDescriptors(i));
				if (reason.isPresent()) {
					return Optional.of("descriptor " + i + ": " + reason.get());
				}
			}
			return Optional.empty();
		}

		private static Optional<String> reason(RateLimitDescriptor descriptor) {
			int count = descriptor.getEntriesCount();
			if (count == 0 || count > Descriptor.MAX_ENTRIES) {
				return Optional.of("a descriptor must have 1 to " + Descriptor.MAX_ENTRIES + " entries");
			}
			for (int i = 0; i < count; i++) {
				if (descriptor.getEntries(i).getKey().isEmpty()) {
					return Optional.of("the key of entry " + i + " is empty");
				}
			}
			if (descriptor.hasLimit()) {
				return Optional.of("'limit' is not supported; limits are those of the rules");
			}
			return (descriptor.getIsNegativeHits()) ? Optional.of("'is_negative_hits' is not supported")
					: Optional.empty();
		}

	}

	/**
	 * Reads requests up to a maximum size. The limit of the whole server is usually much
	 * higher.
	 *
	 * @param marshaller reads the requests
	 */
	private record BoundedMarshaller(Marshaller<RateLimitRequest> marshaller) implements Marshaller<RateLimitRequest> {

		static final int MAX_BYTES = 1024 * 1024;

		/** The replacement of a request that is too long. */
		static final RateLimitRequest OVERSIZED = RateLimitRequest.newBuilder().build();

		/** The replacement of a request that is not a message. */
		static final RateLimitRequest UNREADABLE = RateLimitRequest.newBuilder().build();

		@Override
		public InputStream stream(RateLimitRequest value) {
			return this.marshaller.stream(value);
		}

		@Override
		public RateLimitRequest parse(InputStream stream) {
			if (stream instanceof KnownLength && available(stream) > MAX_BYTES) {
				return OVERSIZED;
			}
			try {
				RateLimitRequest request = this.marshaller.parse(stream);
				boolean known = stream instanceof KnownLength;
				return (!known && request.getSerializedSize() > MAX_BYTES) ? OVERSIZED : request;
			}
			catch (StatusRuntimeException ex) {
				// The server would log the exception for each such call.
				return UNREADABLE;
			}
		}

		private static int available(InputStream stream) {
			try {
				return stream.available();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

}
