package dev.ratelimit.test.redis;

import java.time.Duration;
import java.util.List;

/**
 * A running Redis server. Ordinary tests use the {@link #shared() shared} one. A test
 * that disturbs a server {@link #start starts} its own and closes it.
 */
public final class TestRedis implements AutoCloseable {

	/** The arguments of a server that keeps its data after it is killed. */
	public static final String[] APPENDING = { "--appendonly", "yes", "--appendfsync", "always" };

	/**
	 * The arguments of a server that needs three seconds to load the data of
	 * {@link #fillForLoading()}.
	 */
	public static final String[] LOADING_SLOWLY = { "--key-load-delay", "200000", "--rdbcompression", "no" };

	private static final Duration TIMEOUT = Duration.ofSeconds(60);

	private static final Once<TestRedis> SHARED = new Once<>(() -> new TestRedis(startNode(), true));

	private final RedisNode node;

	private final boolean shared;

	TestRedis(RedisNode node, boolean shared) {
		this.node = node;
		this.shared = shared;
	}

	/**
	 * Return the server that all ordinary tests of this JVM use. The first test starts
	 * it. It cannot be stopped or disturbed, and ends with the JVM.
	 */
	public static TestRedis shared() {
		return SHARED.get();
	}

	/**
	 * Start a server for one test.
	 * @param extraArguments additional arguments of the command line, such as
	 * {@code --maxmemory 1mb}
	 */
	public static TestRedis start(String... extraArguments) {
		return new TestRedis(startNode(extraArguments), false);
	}

	private static RedisNode startNode(String... extraArguments) {
		RedisSource source = RedisServers.source();
		RedisNode node = source.start(List.of(extraArguments));
		SourceReport.print(source, node);
		return node;
	}

	public String host() {
		return this.node.host();
	}

	public int port() {
		return this.node.port();
	}

	/**
	 * Send one command on a new connection.
	 * @see RespClient#call
	 */
	public String command(String... words) {
		try (RespClient client = RespClient.connect(host(), port(), TIMEOUT)) {
			return client.call(words);
		}
	}

	/**
	 * Return the keys that match a pattern, without the instance registrations of
	 * applications of other tests, which may still be running.
	 */
	public List<String> keys(String pattern) {
		return command("KEYS", pattern).lines().filter((key) -> !key.isEmpty() && !key.endsWith(":{fleet}")).toList();
	}

	/**
	 * Return a field of the output of {@code INFO}.
	 */
	public String info(String field) {
		return command("INFO").lines()
			.filter((line) -> line.startsWith(field + ":"))
			.map((line) -> line.substring(field.length() + 1))
			.findFirst()
			.orElseThrow(() -> new IllegalStateException("no " + field + " in INFO"));
	}

	/**
	 * Write 15 keys and save them, so that the server must load them at its next start.
	 * The keys are large, because a loading server replies only once every two megabytes.
	 */
	public void fillForLoading() {
		command("EVAL", "for i = 1, 15 do redis.call('SET', 'filling' .. i, string.rep('x', 2200000)) end", "0");
		command("SAVE");
	}

	/**
	 * Kill the server without closing connections in order, as if the machine is lost.
	 */
	public void kill() {
		own().kill();
	}

	/**
	 * Stop responding, but leave every connection open and accept new ones.
	 */
	public void pause() {
		own().pause();
	}

	public void resume() {
		own().resume();
	}

	/**
	 * Shut the server down in order. It can be {@link #restart() restarted}.
	 */
	public void stop() {
		own().stop();
	}

	/**
	 * Start the server again on the same port, from any state. It is empty unless it
	 * appends to a file or has saved one.
	 */
	public void restart() {
		own().restart();
	}

	/**
	 * Start the server again and wait only until it replies. It may still be loading its
	 * data.
	 */
	public void restartUnready() {
		own().restartUnready();
	}

	/**
	 * End the server permanently.
	 */
	@Override
	public void close() {
		own().close();
	}

	RedisNode node() {
		return this.node;
	}

	private RedisNode own() {
		if (this.shared) {
			throw new IllegalStateException("the shared server must stay: use TestRedis.start() for one to harm");
		}
		return this.node;
	}

}
