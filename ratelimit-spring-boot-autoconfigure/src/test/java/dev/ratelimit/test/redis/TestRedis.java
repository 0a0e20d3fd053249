package dev.ratelimit.test.redis;

import java.time.Duration;
import java.util.List;

/**
 * A running Redis server. Ordinary tests use the {@link #shared() shared} one; a test
 * that does a server harm {@link #start starts} its own and closes it.
 */
public final class TestRedis implements AutoCloseable {

	/** Arguments of a server that keeps its data when it is killed. */
	public static final String[] APPENDING = { "--appendonly", "yes", "--appendfsync", "always" };

	/**
	 * Arguments of a server that takes a second to load what {@link #fillForLoading()}
	 * wrote.
	 */
	public static final String[] LOADING_SLOWLY = { "--key-load-delay", "100000", "--rdbcompression", "no" };

	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	private static final Once<TestRedis> SHARED = new Once<>(() -> new TestRedis(startNode(), true));

	private final RedisNode node;

	private final boolean shared;

	TestRedis(RedisNode node, boolean shared) {
		this.node = node;
		this.shared = shared;
	}

	/**
	 * The server that all ordinary tests of this JVM use, started by the first. It cannot
	 * be harmed, and ends with the JVM.
	 */
	public static TestRedis shared() {
		return SHARED.get();
	}

	/**
	 * Start a server for one test.
	 * @param extraArguments what to add to the command line, as in
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
	 * Send one command on a connection of its own.
	 * @see RespClient#call
	 */
	public String command(String... words) {
		try (RespClient client = RespClient.connect(host(), port(), TIMEOUT)) {
			return client.call(words);
		}
	}

	/**
	 * The keys of a pattern. Not those by which applications of other tests, which may
	 * still be running, say that they are there.
	 */
	public List<String> keys(String pattern) {
		return command("KEYS", pattern).lines().filter((key) -> !key.isEmpty() && !key.endsWith(":{fleet}")).toList();
	}

	/**
	 * A field of what the server says about itself.
	 */
	public String info(String field) {
		return command("INFO").lines()
			.filter((line) -> line.startsWith(field + ":"))
			.map((line) -> line.substring(field.length() + 1))
			.findFirst()
			.orElseThrow(() -> new IllegalStateException("no " + field + " in INFO"));
	}

	/**
	 * Write ten keys and save them, so that the server must load them at its next start.
	 * They are large because while it loads, it answers only once every two megabytes.
	 */
	public void fillForLoading() {
		command("EVAL", "for i = 1, 10 do redis.call('SET', 'filling' .. i, string.rep('x', 2200000)) end", "0");
		command("SAVE");
	}

	/**
	 * End the server at once: no goodbye to its clients, as when the machine is lost.
	 */
	public void kill() {
		own().kill();
	}

	/**
	 * Stop answering, with every connection left open and new ones still accepted.
	 */
	public void pause() {
		own().pause();
	}

	public void resume() {
		own().resume();
	}

	/**
	 * End the server in good order. It can be {@link #restart() restarted}.
	 */
	public void stop() {
		own().stop();
	}

	/**
	 * Start the server again on the same port, whatever state it is in: empty, unless it
	 * appends to a file or has saved one.
	 */
	public void restart() {
		own().restart();
	}

	/**
	 * Start the server again and wait no longer than until it says that it is there. It
	 * may still be loading its data.
	 */
	public void restartUnready() {
		own().restartUnready();
	}

	/**
	 * End the server for good.
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
