package dev.ratelimit.web.grpc;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.web.response.ResponseView;
import io.grpc.Metadata;
import org.jspecify.annotations.Nullable;

/**
 * Metadata of a response to which rate limit fields are added.
 *
 * @param metadata the metadata
 * @param request the metadata of the request
 * @param status the HTTP status of the response
 */
record ResponseMetadata(Metadata metadata, Metadata request, int status) implements ResponseView {

	private static final Metadata.Key<String> AUTHORIZATION = Metadata.Key.of("authorization",
			Metadata.ASCII_STRING_MARSHALLER);

	@Override
	public @Nullable String header(String name) {
		Iterable<String> values = this.metadata.getAll(key(name));
		if (values == null) {
			return null;
		}
		List<String> all = new ArrayList<>(1);
		values.forEach(all::add);
		return String.join(", ", all);
	}

	@Override
	public void header(String name, @Nullable String value) {
		Metadata.Key<String> key = key(name);
		this.metadata.discardAll(key);
		if (value != null) {
			this.metadata.put(key, value);
		}
	}

	@Override
	public String requestMethod() {
		return "POST";
	}

	@Override
	public boolean authorized() {
		return this.request.containsKey(AUTHORIZATION);
	}

	static Metadata.Key<String> key(String name) {
		return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
	}

}
