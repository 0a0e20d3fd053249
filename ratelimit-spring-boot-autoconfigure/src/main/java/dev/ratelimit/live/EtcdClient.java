package dev.ratelimit.live;

import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads from the members of etcd, the next one whenever one fails. Not thread-safe.
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
	 * Read one key: next to nothing, to learn the revision.
	 * @param key the key
	 * @return the revision, and the key if it is there
	 * @throws EtcdException if no member responds
	 */
	EtcdRange key(String key) throws EtcdException {
		return range(Map.of("key", encode(bytes(key)), "keys_only", true));
	}

	/**
	 * Read all keys with a prefix, as of one revision.
	 * @param prefix the prefix
	 * @param max how many at most
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
		// Whatever was wrong, a new token is not what will be.
		this.token = Optional.empty();
	}

	// A member that was restarted does not know the tokens of before.
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

}
