package dev.ratelimit.test.etcd;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.ratelimit.live.Json;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * A running etcd with one process per member. A test may kill the processes and must
 * close this object.
 */
public final class TestEtcd implements AutoCloseable {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static final HttpClient CLIENT = HttpClient.newBuilder()
		.version(HttpClient.Version.HTTP_1_1)
		.connectTimeout(Duration.ofSeconds(1))
		.build();

	private final List<TestEtcdMember> members;

	private Optional<String> token = Optional.empty();

	private TestEtcd(List<TestEtcdMember> members) {
		this.members = members;
	}

	/**
	 * Start an etcd and wait until each member is available.
	 * @param members the number of members
	 */
	public static TestEtcd start(int members) {
		return start(members, Optional.empty());
	}

	/**
	 * Start an etcd of one member that also has an encrypted endpoint, for clients with
	 * the certificate.
	 * @param certificate the certificate of both sides
	 */
	public static TestEtcd start(TestCertificate certificate) {
		return start(1, Optional.of(certificate));
	}

	private static TestEtcd start(int members, Optional<TestCertificate> certificate) {
		List<TestEtcdMember> started = new ArrayList<>();
		IntStream.range(0, members).forEach((index) -> started.add(TestEtcdMember.reserve(index)));
		String cluster = started.stream().map(TestEtcdMember::peer).collect(Collectors.joining(","));
		TestEtcd etcd = new TestEtcd(started);
		try {
			started.forEach((member) -> member.start(cluster, certificate));
			etcd.awaitUp();
			return etcd;
		}
		catch (RuntimeException ex) {
			etcd.close();
			throw ex;
		}
	}

	/** Wait until each member is available. */
	public void awaitUp() {
		try {
			Awaitility.await()
				.atMost(LIMIT)
				.ignoreExceptionsInstanceOf(UncheckedIOException.class)
				.until(() -> this.members.stream()
					.allMatch((member) -> send(member, "/v3/maintenance/status", Map.of()).statusCode() == 200
							|| this.token.isPresent()));
		}
		catch (ConditionTimeoutException ex) {
			throw new IllegalStateException(this.members.stream()
				.map((member) -> member.endpoint() + ":" + System.lineSeparator() + member.log())
				.collect(Collectors.joining(System.lineSeparator())), ex);
		}
	}

	public TestEtcdMember member(int index) {
		return this.members.get(index);
	}

	public List<URI> endpoints() {
		return this.members.stream().map(TestEtcdMember::endpoint).toList();
	}

	/**
	 * Replace all keys with a prefix, in one transaction.
	 */
	public void replace(String prefix, Map<String, String> values) {
		List<Object> operations = new ArrayList<>();
		byte[] end = prefix.getBytes(StandardCharsets.UTF_8);
		end[end.length - 1]++;
		List<String> kept = new ArrayList<>(values.keySet());
		for (String key : keys(prefix, end)) {
			if (!kept.contains(key)) {
				operations.add(Map.of("requestDeleteRange", Map.of("key", encode(key))));
			}
		}
		values.forEach((key, value) -> operations
			.add(Map.of("requestPut", Map.of("key", encode(key), "value", encode(value)))));
		call("/v3/kv/txn", Map.of("success", operations));
	}

	private List<String> keys(String prefix, byte[] end) {
		Object kvs = call("/v3/kv/range",
				Map.of("key", encode(prefix), "range_end", Base64.getEncoder().encodeToString(end), "keys_only", true))
			.getOrDefault("kvs", List.of());
		return ((List<?>) kvs).stream()
			.map((entry) -> ((Map<?, ?>) entry).get("key").toString())
			.map((key) -> new String(Base64.getDecoder().decode(key), StandardCharsets.UTF_8))
			.toList();
	}

	/**
	 * Require authentication, and let a user read a prefix.
	 */
	public void protect(String prefix, String user, String password) {
		byte[] end = prefix.getBytes(StandardCharsets.UTF_8);
		end[end.length - 1]++;
		call("/v3/auth/role/add", Map.of("name", "root"));
		call("/v3/auth/user/add", Map.of("name", "root", "password", "rootsecret"));
		call("/v3/auth/user/grant", Map.of("user", "root", "role", "root"));
		call("/v3/auth/role/add", Map.of("name", "reader"));
		call("/v3/auth/role/grant", Map.of("name", "reader", "perm", Map.of("permType", "READ", "key", encode(prefix),
				"range_end", Base64.getEncoder().encodeToString(end))));
		call("/v3/auth/user/add", Map.of("name", user, "password", password));
		call("/v3/auth/user/grant", Map.of("user", user, "role", "reader"));
		call("/v3/auth/enable", Map.of());
		authenticate();
	}

	/** Get a new token after a restart of members. */
	public void authenticate() {
		this.token = Optional.empty();
		this.token = Optional
			.of(call("/v3/auth/authenticate", Map.of("name", "root", "password", "rootsecret")).get("token")
				.toString());
	}

	/**
	 * Call a method of the first member that responds.
	 */
	public Map<String, Object> call(String method, Map<String, Object> arguments) {
		for (TestEtcdMember member : this.members) {
			if (member.isUp()) {
				return Json.readObject(ofLeader(member, method, arguments).body());
			}
		}
		throw new IllegalStateException("no member is up");
	}

	// A member without a leader does not execute the call. The error "leader changed"
	// refers to a call that was not executed.
	private HttpResponse<String> ofLeader(TestEtcdMember member, String method, Map<String, Object> arguments) {
		HttpResponse<String> response = Awaitility.await()
			.atMost(LIMIT)
			.until(() -> send(member, method, arguments), (sent) -> !sent.body().contains("leader"));
		if (response.statusCode() != 200) {
			throw new IllegalStateException(method + ": " + response.body());
		}
		return response;
	}

	private HttpResponse<String> send(TestEtcdMember member, String method, Map<String, Object> arguments) {
		HttpRequest.Builder request = HttpRequest.newBuilder(member.endpoint().resolve(method))
			.timeout(Duration.ofSeconds(5))
			.POST(HttpRequest.BodyPublishers.ofString(Json.write(arguments)));
		this.token.ifPresent((value) -> request.header("Authorization", value));
		try {
			return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("interrupted", ex);
		}
	}

	private static String encode(String text) {
		return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
	}

	@Override
	public void close() {
		this.members.forEach(TestEtcdMember::close);
	}

}
