package dev.ratelimit.live;

import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.jspecify.annotations.Nullable;

/**
 * One member, by its JSON gateway. Redirections are not followed. Thread-safe.
 */
final class EtcdMember {

	private static final Duration PATIENCE = Duration.ofSeconds(2);

	/** More than the longest document, in base64 with its keys. */
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
	 * @param token the token, if there is one
	 * @param arguments its arguments
	 * @return its result
	 * @throws EtcdException if there is none
	 */
	Map<String, Object> call(String method, Optional<String> token, Map<String, Object> arguments)
			throws EtcdException {
		HttpRequest.Builder request = HttpRequest.newBuilder(this.endpoint.resolve(method))
			.timeout(PATIENCE)
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
				(head) -> new LimitedBody(MAX_BYTES));
		try {
			return response.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
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

	// What etcd says, and nothing else that a server may respond with.
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
