package dev.ratelimit.web.grpc;

import java.util.List;

import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.web.response.HeaderField;
import io.grpc.Context;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a call, which the interceptors of the limiter share. Used by the
 * threads of one call, one at a time.
 */
final class GrpcProgress {

	static final Context.Key<GrpcProgress> KEY = Context.key("ratelimit");

	private RequestProgress current = RequestProgress.START;

	private List<HeaderField> fields = List.of();

	static @Nullable GrpcProgress find() {
		return KEY.get();
	}

	RequestProgress current() {
		return this.current;
	}

	void update(RequestProgress progress) {
		this.current = progress;
	}

	/**
	 * Return the rate limit fields of the response to an allowed call. A rejection has
	 * separate fields.
	 * @return the fields; empty if there are none
	 */
	List<HeaderField> fields() {
		return this.fields;
	}

	void setFields(List<HeaderField> written) {
		this.fields = written;
	}

}
