package dev.ratelimit.web.grpc;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

import com.google.protobuf.Any;
import com.google.rpc.QuotaFailure;
import com.google.rpc.RetryInfo;
import dev.ratelimit.Decision;
import dev.ratelimit.Verdict;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.web.GateRequest;
import dev.ratelimit.web.response.RateLimitHeaders;
import dev.ratelimit.web.response.RejectionFactory;
import dev.ratelimit.web.response.RejectionResponse;
import dev.ratelimit.web.response.Tarpits;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.grpc.protobuf.ProtoUtils;

/**
 * Closes rejected calls. Thread-safe.
 *
 * @param rejections creates the HTTP responses
 * @param tarpits delays some rejections
 */
record GrpcRejections(RejectionFactory rejections, Tarpits tarpits) {

	/** The details of a status, which clients with automatic retries read. */
	private static final Metadata.Key<com.google.rpc.Status> DETAILS = Metadata.Key.of("grpc-status-details-bin",
			ProtoUtils.metadataMarshaller(com.google.rpc.Status.getDefaultInstance()));

	private static final Metadata.Key<String> PUSHBACK = ResponseMetadata.key("grpc-retry-pushback-ms");

	private static final String NEVER = "-1";

	/** The maximum duration of Protocol Buffers. */
	private static final long MAX_SECONDS = 315_576_000_000L;

	private static final String RETRY_AFTER = "Retry-After";

	private static final String CONTENT_TYPE = "Content-Type";

	/**
	 * Reject a call.
	 * @param call the call
	 * @param request the call at the gate
	 * @param before the earlier progress of the call
	 * @param progress the progress of the call, with the rejection
	 */
	void reject(ServerCall<?, ?> call, GateRequest request, RequestProgress before, RequestProgress progress) {
		RejectionResponse rejection = this.rejections.rejected(progress, request, request.path());
		this.rejections.count(!before.untouched(), rejection);
		Optional<CompletableFuture<Void>> delay = Tarpits.of(progress).flatMap(this.tarpits::enter);
		if (delay.isEmpty()) {
			close(call, progress.decision(), rejection);
			return;
		}
		// The delayed call holds no seat or slot.
		progress.free(rejection.status());
		delay.get().thenRun(() -> close(call, progress.decision(), rejection));
	}

	/**
	 * Reject an allowed call that would have to be held, if too many are held already.
	 * @param call the call
	 * @param request the call at the gate
	 * @param before the earlier progress of the call
	 * @param progress the progress of the call
	 */
	void overcrowded(ServerCall<?, ?> call, GateRequest request, RequestProgress before, RequestProgress progress) {
		RejectionResponse rejection = this.rejections.overcrowded(progress, request, request.path());
		this.rejections.count(!before.untouched(), rejection);
		close(call, progress.rejectedDelay(), rejection);
	}

	/**
	 * Reject a call because a rule has rejected a part of its work, such as a call of a
	 * limited method.
	 * @param call the call
	 * @param request the call at the gate
	 * @param before the progress of the call
	 * @param decision the rejection
	 */
	void reject(ServerCall<?, ?> call, GateRequest request, RequestProgress before, Decision decision) {
		reject(call, request, before, RequestProgress.of(decision));
	}

	private static void close(ServerCall<?, ?> call, Decision decision, RejectionResponse rejection) {
		Metadata trailers = new Metadata();
		rejection.headers().forEach((name, value) -> {
			if (!name.equalsIgnoreCase(CONTENT_TYPE)) {
				trailers.put(ResponseMetadata.key(name), value);
			}
		});
		OptionalLong seconds = seconds(decision, rejection);
		List<Verdict> violated = RateLimitHeaders.violated(decision);
		Status status = GrpcCodes.rejection(rejection.status()).withDescription(description(decision, violated));
		com.google.rpc.Status.Builder details = com.google.rpc.Status.newBuilder()
			.setCode(status.getCode().value())
			.setMessage(String.valueOf(status.getDescription()));
		seconds.ifPresent((wait) -> details.addDetails(Any.pack(retry(wait))));
		details.addDetails(Any.pack(quota(violated)));
		trailers.put(DETAILS, details.build());
		trailers.put(PUSHBACK,
				(seconds.isPresent()) ? Long.toString(Duration.ofSeconds(seconds.getAsLong()).toMillis()) : NEVER);
		call.close(status, trailers);
	}

	// A handler of the application may have set the header, possibly as a date.
	private static OptionalLong seconds(Decision decision, RejectionResponse rejection) {
		for (Map.Entry<String, String> header : rejection.headers().entrySet()) {
			if (header.getKey().equalsIgnoreCase(RETRY_AFTER)) {
				return seconds(decision, header.getValue().trim());
			}
		}
		return OptionalLong.empty();
	}

	private static OptionalLong seconds(Decision decision, String retryAfter) {
		try {
			return OptionalLong.of(Math.max(0, Math.min(MAX_SECONDS, Long.parseLong(retryAfter))));
		}
		catch (NumberFormatException ex) {
			return RateLimitHeaders.retryAfterSeconds(decision, 0);
		}
	}

	private static RetryInfo retry(long seconds) {
		return RetryInfo.newBuilder()
			.setRetryDelay(com.google.protobuf.Duration.newBuilder().setSeconds(seconds))
			.build();
	}

	private static QuotaFailure quota(List<Verdict> violated) {
		QuotaFailure.Builder failure = QuotaFailure.newBuilder();
		for (Verdict verdict : violated) {
			failure.addViolations(QuotaFailure.Violation.newBuilder()
				.setSubject(verdict.policy().name())
				.setDescription(verdict.outcome().tag()));
		}
		return failure.build();
	}

	private static String description(Decision decision, List<Verdict> violated) {
		return "Rejected by rate limit "
				+ violated.stream().map((verdict) -> verdict.policy().name()).collect(Collectors.joining(", ")) + " ("
				+ decision.reason() + ")";
	}

}
