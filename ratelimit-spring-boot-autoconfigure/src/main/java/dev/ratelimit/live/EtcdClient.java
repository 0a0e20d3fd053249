package dev.ratelimit.live;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.jspecify.annotations.Nullable;

/**
 * Reads from a member of etcd; after a failure, from the next member. Not thread-safe.
 */
final class EtcdClient {

	private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);

	private final List<EtcdMember> members;

	private final Optional<EtcdSettings.User> user;

	private int current;

	private Optional<String> token = Optional.empty();

	EtcdClient(EtcdSettings settings) {
		HttpClient.Builder builder = HttpClient.newBuilder()
			.version(HttpClient.Version.HTTP_1_1)
			.followRedirects(HttpClient.Redirect.NEVER)
			.connectTimeout(CONNECT_TIMEOUT);
		settings.ssl().ifPresent(builder::sslContext);
		HttpClient client = builder.build();
		this.members = settings.endpoints().stream().map((endpoint) -> new EtcdMember(client, endpoint)).toList();
		this.user = settings.user();
	}

	/**
	 * Read one key without its value, to find out the revision.
	 * @param key the key
	 * @return the revision, and the key if it exists
	 * @throws EtcdException if no member responds
	 */
	EtcdRange key(String key) throws EtcdException {
		return range(Map.of("key", encode(bytes(key)), "keys_only", true));
	}

	/**
	 * Read all keys with a prefix, as of one revision.
	 * @param prefix the prefix
	 * @param max the maximum number of keys
	 * @return the keys
	 * @throws EtcdException if no member responds
	 */
	EtcdRange prefix(String prefix, int max) throws EtcdException {
		byte[] end = bytes(prefix);
		end[end.length - 1]++;
		return range(Map.of("key", encode(bytes(prefix)), "range_end", encode(end), "limit", max));
	}

	private EtcdRange range(Map<String, Object> arguments) throws EtcdException {
		for (int attempt = 1; attempt < this.members.size(); attempt++) {
			try {
				return EtcdRange.of(authenticated(arguments));
			}
			catch (EtcdException ex) {
				next();
			}
		}
		try {
			return EtcdRange.of(authenticated(arguments));
		}
		catch (EtcdException ex) {
			next();
			throw ex;
		}
	}

	private void next() {
		this.current = (this.current + 1) % this.members.size();
		// The failure may be due to the token, so the next call authenticates again.
		this.token = Optional.empty();
	}

	// A restarted member does not accept earlier tokens, so the call is repeated once
	// with a new token.
	private Map<String, Object> authenticated(Map<String, Object> arguments) throws EtcdException {
		EtcdMember member = this.members.get(this.current);
		boolean had = this.token.isPresent();
		if (this.user.isPresent() && !had) {
			this.token = Optional.of(authenticate(member, this.user.get()));
		}
		try {
			return member.call("/v3/kv/range", this.token, arguments);
		}
		catch (EtcdException ex) {
			if (!had || !ex.unauthenticated() || this.user.isEmpty()) {
				throw ex;
			}
			this.token = Optional.of(authenticate(member, this.user.get()));
			return member.call("/v3/kv/range", this.token, arguments);
		}
	}

	private static String authenticate(EtcdMember member, EtcdSettings.User user) throws EtcdException {
		Map<String, Object> answer = member.call("/v3/auth/authenticate", Optional.empty(),
				Map.of("name", user.name(), "password", user.password()));
		return Optional.ofNullable(answer.get("token"))
			.map(Object::toString)
			.orElseThrow(() -> new EtcdException(200, "the response is not that of etcd"));
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private static String encode(byte[] bytes) {
		return Base64.getEncoder().encodeToString(bytes);
	}

	/**
	 * The body of a response, up to a maximum length, so that no server can exhaust the
	 * memory.
	 */
	static final class LimitedBody implements HttpResponse.BodySubscriber<byte[]> {

		private final HttpResponse.BodySubscriber<byte[]> body = HttpResponse.BodySubscribers.ofByteArray();

		private long left;

		private Flow.@Nullable Subscription subscription;

		LimitedBody(long max) {
			this.left = max;
		}

		@Override
		public CompletionStage<byte[]> getBody() {
			return this.body.getBody();
		}

		@Override
		public void onSubscribe(Flow.Subscription next) {
			this.subscription = next;
			this.body.onSubscribe(next);
		}

		@Override
		public void onNext(List<ByteBuffer> parts) {
			this.left -= parts.stream().mapToLong(ByteBuffer::remaining).sum();
			if (this.left >= 0) {
				this.body.onNext(parts);
			}
			else if (this.subscription != null) {
				this.subscription.cancel();
				this.body.onError(new IOException("the response is too long"));
			}
		}

		@Override
		public void onError(Throwable failure) {
			this.body.onError(failure);
		}

		@Override
		public void onComplete() {
			this.body.onComplete();
		}

	}

	/**
	 * One member, by its JSON gateway. Redirections are not followed. Thread-safe.
	 */
	static final class EtcdMember {

		private static final Duration TIMEOUT = Duration.ofSeconds(2);

		/**
		 * The maximum length of a response, which exceeds that of the longest document in
		 * base64 with its keys.
		 */
		private static final long MAX_BYTES = 8 << 20;

		private static final int MAX_SHOWN = 100;

		private final HttpClient client;

		private final URI endpoint;

		EtcdMember(HttpClient client, URI endpoint) {
			this.client = client;
			this.endpoint = endpoint;
		}

		/**
		 * Call a method.
		 * @param method its path, such as {@code /v3/kv/range}
		 * @param token the token, if one is used
		 * @param arguments its arguments
		 * @return its result
		 * @throws EtcdException if the call fails
		 */
		Map<String, Object> call(String method, Optional<String> token, Map<String, Object> arguments)
				throws EtcdException {
			HttpRequest.Builder request = HttpRequest.newBuilder(this.endpoint.resolve(method))
				.timeout(TIMEOUT)
				.header("Content-Type", "application/json")
				.POST(HttpRequest.BodyPublishers.ofString(Json.write(arguments)));
			token.ifPresent((value) -> request.header("Authorization", value));
			HttpResponse<byte[]> response = send(request.build());
			String body = new String(response.body(), StandardCharsets.UTF_8);
			if (response.statusCode() != 200) {
				throw new EtcdException(response.statusCode(), "status " + response.statusCode() + reason(body));
			}
			try {
				return Json.readObject(body);
			}
			catch (IllegalArgumentException ex) {
				throw new EtcdException("the response is not that of etcd", ex);
			}
		}

		private HttpResponse<byte[]> send(HttpRequest request) throws EtcdException {
			CompletableFuture<HttpResponse<byte[]>> response = this.client.sendAsync(request,
					(head) -> new EtcdClient.LimitedBody(MAX_BYTES));
			try {
				return response.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
			}
			catch (InterruptedException ex) {
				response.cancel(true);
				Thread.currentThread().interrupt();
				throw new EtcdException("interrupted", ex);
			}
			catch (TimeoutException ex) {
				response.cancel(true);
				throw new EtcdException("timeout", ex);
			}
			catch (ExecutionException ex) {
				throw new EtcdException(reason(ex.getCause()), ex);
			}
		}

		private static String reason(@Nullable Throwable cause) {
			if (cause instanceof HttpTimeoutException) {
				return "timeout";
			}
			return (cause == null || cause instanceof ConnectException) ? "no connection"
					: String.valueOf(cause.getMessage());
		}

		// Only messages of etcd are shown, not other content that a server may send.
		private static String reason(String body) {
			try {
				String error = String.valueOf(Json.readObject(body).get("error"));
				return (error.matches("etcdserver: [\\w ,'-]+"))
						? ", " + error.substring(0, Math.min(error.length(), MAX_SHOWN)) : "";
			}
			catch (IllegalArgumentException ex) {
				return "";
			}
		}

	}

}
