package dev.ratelimit.web.response;

import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ratelimit.Rejection;

/**
 * Internal: the content of a response that rejects a request. Immutable, except for the
 * bytes of its body, which must not be changed.
 *
 * @param status the HTTP status
 * @param headers the header fields, with the content type
 * @param body the body; not written to a request with HEAD
 * @param limiterFields the names of the limiter's own fields
 */
public record RejectionResponse(int status, Map<String, String> headers, byte[] body,
		Collection<String> limiterFields) {

	// The headers that scripts may read in any response.
	private static final Set<String> SAFELISTED = Set.of("cache-control", "content-type");

	static RejectionResponse of(Rejection rejection, Rejection.Content content, Collection<String> limiterFields) {
		Map<String, String> headers = new LinkedHashMap<>(rejection.headers());
		headers.put("Content-Type", content.type());
		return new RejectionResponse(rejection.problem().status(), headers, content.bytes(), limiterFields);
	}

	/**
	 * Return the names of the fields that scripts of an allowed origin cannot read yet.
	 * @param exposed the values of {@code Access-Control-Expose-Headers} so far
	 * @return the names to expose in addition, joined by commas; empty if none is missing
	 */
	public String unexposed(Collection<String> exposed) {
		Set<String> names = exposed.stream()
			.flatMap((value) -> Arrays.stream(value.split(",")))
			.map((name) -> name.trim().toLowerCase(Locale.ROOT))
			.collect(Collectors.toSet());
		return readable().filter((name) -> !names.contains(name.toLowerCase(Locale.ROOT)))
			.collect(Collectors.joining(", "));
	}

	private Stream<String> readable() {
		return this.limiterFields.stream()
			.filter((name) -> this.headers.keySet().stream().anyMatch(name::equalsIgnoreCase))
			.filter((name) -> !SAFELISTED.contains(name.toLowerCase(Locale.ROOT)));
	}

}
