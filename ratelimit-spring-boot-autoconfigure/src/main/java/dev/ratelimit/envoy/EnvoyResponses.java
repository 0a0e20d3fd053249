package dev.ratelimit.envoy;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

import com.google.protobuf.Duration.Builder;
import dev.ratelimit.Limit;
import dev.ratelimit.Outcome;
import dev.ratelimit.Verdict;
import dev.ratelimit.envoy.v3.RateLimitMessages.HeaderValue;
import dev.ratelimit.envoy.v3.RateLimitMessages.RateLimitResponse;
import dev.ratelimit.envoy.v3.RateLimitMessages.RateLimitResponse.Code;
import dev.ratelimit.envoy.v3.RateLimitMessages.RateLimitResponse.DescriptorStatus;
import dev.ratelimit.envoy.v3.RateLimitMessages.RateLimitResponse.RateLimit;
import dev.ratelimit.web.response.HeaderFactory;
import dev.ratelimit.web.response.HeaderField;

/**
 * Creates the responses to Envoy: a status for each descriptor, which describes the
 * strictest limit. Thread-safe.
 *
 * @param headers creates header fields
 * @param writesHeaders whether responses contain header fields
 */
record EnvoyResponses(HeaderFactory headers, boolean writesHeaders) {

	private static final long MAX_UINT32 = 0xFFFFFFFFL;

	private static final long MILLIS = 1000;

	private static final Map<Duration, RateLimit.Unit> UNITS = Map.of(Duration.ofSeconds(1), RateLimit.Unit.SECOND,
			Duration.ofMinutes(1), RateLimit.Unit.MINUTE, Duration.ofHours(1), RateLimit.Unit.HOUR, Duration.ofDays(1),
			RateLimit.Unit.DAY, Duration.ofDays(7), RateLimit.Unit.WEEK, Duration.ofDays(30), RateLimit.Unit.MONTH,
			Duration.ofDays(31), RateLimit.Unit.MONTH, Duration.ofDays(365), RateLimit.Unit.YEAR);

	private static final Comparator<Verdict> MAX_WAIT = Comparator
		.comparingLong((verdict) -> (verdict.retryAfterMillis() < 0) ? Long.MAX_VALUE : verdict.retryAfterMillis());

	private static final Comparator<Verdict> LEAST_REMAINING = Comparator.comparingLong(Verdict::remaining);

	/**
	 * Return the response to a call.
	 * @param decided the decision
	 * @return the response
	 */
	RateLimitResponse of(Decided decided) {
		RateLimitResponse.Builder response = RateLimitResponse.newBuilder()
			.setOverallCode((decided.allowed()) ? Code.OK : Code.OVER_LIMIT);
		for (int i = 0; i < decided.matches().byDescriptor().length; i++) {
			response.addStatuses(status(decided.ofDescriptor(i)));
		}
		if (this.writesHeaders) {
			List<HeaderField> fields = (decided.allowed()) ? this.headers.fields(decided.progress())
					: this.headers.rejection(decided.progress(), this.headers.jitterSeconds());
			for (HeaderField field : fields) {
				response.addResponseHeadersToAdd(HeaderValue.newBuilder().setKey(field.name()).setValue(field.value()));
			}
		}
		return response.build();
	}

	// Envoy may send the limit in the status to its clients as the strictest one, so
	// outcomes without a limit do not set it.
	private static DescriptorStatus status(List<Verdict> verdicts) {
		DescriptorStatus.Builder status = DescriptorStatus.newBuilder().setCode(Code.OK);
		if (verdicts.isEmpty()) {
			return status.build();
		}
		List<Verdict> rejecting = verdicts.stream().filter((verdict) -> !verdict.outcome().passes()).toList();
		Verdict binding = (rejecting.isEmpty()) ? verdicts.stream().min(LEAST_REMAINING).orElseThrow()
				: rejecting.stream().max(MAX_WAIT).orElseThrow();
		if (!rejecting.isEmpty()) {
			status.setCode(Code.OVER_LIMIT);
		}
		if (binding.outcome() == Outcome.UNLIMITED) {
			return status.setLimitRemaining((int) MAX_UINT32).build();
		}
		if (binding.outcome().measured() || binding.outcome() == Outcome.BLOCKED
				|| binding.outcome() == Outcome.FAILED_CLOSED) {
			status.setCurrentLimit(limit(binding));
		}
		if (binding.outcome().measured()) {
			long remaining = (rejecting.isEmpty() && binding.outcome() != Outcome.SHADOW_REJECTED)
					? Math.min(MAX_UINT32, binding.remaining()) : 0;
			status.setLimitRemaining((int) remaining);
		}
		long millis = (rejecting.isEmpty() || binding.retryAfterMillis() < 0) ? binding.resetAfterMillis()
				: binding.retryAfterMillis();
		if (millis > 0) {
			status.setDurationUntilReset(seconds(millis));
		}
		return status.build();
	}

	private static Builder seconds(long millis) {
		return com.google.protobuf.Duration.newBuilder().setSeconds((millis + MILLIS - 1) / MILLIS);
	}

	private static RateLimit limit(Verdict verdict) {
		RateLimit.Builder limit = RateLimit.newBuilder().setName(verdict.policy().ruleId());
		verdict.policy().limit().filter((any) -> verdict.outcome() != Outcome.BLOCKED).ifPresent((written) -> {
			limit.setRequestsPerUnit((int) Math.min(MAX_UINT32, written.quantity()));
			limit.setUnit(unit(written));
		});
		return limit.build();
	}

	private static RateLimit.Unit unit(Limit limit) {
		return UNITS.getOrDefault(limit.period(), RateLimit.Unit.UNKNOWN);
	}

}
