package dev.ratelimit.web;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.json.JsonWriter;
import org.springframework.http.HttpStatus;

/**
 * The problem details of a refusal (RFC 9457).
 *
 * @param type the problem's type, {@code null} if the status says it all
 * @param title the same for every problem of the type
 * @param status the HTTP status
 * @param detail what this client can do
 * @param instance the path that was asked for
 * @param violatedPolicies the names of the policies that refuse
 */
record Problem(@Nullable String type, String title, int status, String detail, String instance,
		List<String> violatedPolicies) {

	private static final String TYPES = "https://iana.org/assignments/http-problem-types#";

	private static final JsonWriter<Problem> WRITER = JsonWriter.of((members) -> {
		members.add("type", Problem::type).whenNotNull();
		members.add("title", Problem::title);
		members.add("status", Problem::status);
		members.add("detail", Problem::detail);
		members.add("instance", Problem::instance);
		members.add("violated-policies", Problem::violatedPolicies);
	});

	static Problem ofMissingKey(int status, String path, List<String> violatedPolicies) {
		HttpStatus known = HttpStatus.resolve(status);
		return new Problem(null, (known != null) ? known.getReasonPhrase() : "Refused", status,
				"This request lacks what tells callers apart.", path, violatedPolicies);
	}

	static Problem of(int status, long retryAfterSeconds, String path, List<String> violatedPolicies) {
		String wait = (retryAfterSeconds < 0) ? "This request cannot be served."
				: "Retry in " + retryAfterSeconds + ((retryAfterSeconds == 1) ? " second." : " seconds.");
		if (status == HttpStatus.SERVICE_UNAVAILABLE.value()) {
			return new Problem(TYPES + "temporary-reduced-capacity", "Temporary Reduced Capacity", status,
					"The service has no capacity for this request now. " + wait, path, violatedPolicies);
		}
		return new Problem(TYPES + "quota-exceeded", "Quota Exceeded", status, "Rate limit exceeded. " + wait, path,
				violatedPolicies);
	}

	String json() {
		return WRITER.writeToString(this);
	}

}
