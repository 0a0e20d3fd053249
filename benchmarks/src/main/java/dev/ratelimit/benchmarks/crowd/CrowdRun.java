package dev.ratelimit.benchmarks.crowd;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

import dev.ratelimit.benchmarks.RedisServer;
import dev.ratelimit.benchmarks.RedisStats;
import dev.ratelimit.benchmarks.crowd.CrowdRow.Kind;

/**
 * Measures one row: it sends a crowd of requests at once, and inspects the server while
 * the server holds them.
 */
final class CrowdRun {

	private static final IntFunction<String> NOT_FOUND = (number) -> "GET /none HTTP/1.1\r\nHost: localhost\r\n\r\n";

	private static final Duration TIMEOUT = Duration.ofSeconds(60);

	/**
	 * The time before the measurement. It is longer than a third of a lease, because
	 * slots are renewed for the first time after this third.
	 */
	private static final Duration SETTLES = Duration.ofSeconds(11);

	private static final Duration WATCHED = Duration.ofSeconds(10);

	private final CrowdRow row;

	private final int crowd;

	CrowdRun(CrowdRow row, int crowd) {
		this.row = row;
		this.crowd = crowd;
	}

	CrowdFigures measure() throws IOException, InterruptedException {
		return (this.row.kind() == Kind.SOCKET) ? sockets() : requests();
	}

	// A fifth more waiting requests are sent than are inspected, because some requests
	// have their turn while others still arrive.
	private CrowdFigures requests() throws IOException, InterruptedException {
		int sent = (this.row.kind() == Kind.WAIT) ? this.crowd + this.crowd / 5 : this.crowd + 1;
		try (CrowdServer server = CrowdServer.start(this.row.fileName(), this.row.properties(sent));
				CrowdClient client = new CrowdClient(server.address())) {
			client.connect(sent);
			client.send(NOT_FOUND);
			client.awaitAnswers(sent, TIMEOUT);
			Look before = server.look();
			client.send(this.row.kind()::request);
			if (this.row.kind() == Kind.WAIT) {
				awaitLine(server, client);
			}
			Look held = server.look();
			int count = (this.row.kind() == Kind.WAIT) ? held.waiting() : client.unanswered();
			client.awaitAnswers(sent, TIMEOUT);
			return new CrowdFigures(count, before.threads(), held.threads(), each(held, before, count), Double.NaN,
					client.answers());
		}
	}

	// Wait until the queue is long enough, or becomes shorter.
	private void awaitLine(CrowdServer server, CrowdClient client) throws IOException {
		int before = -1;
		int now = 0;
		while (now > before && now < this.crowd) {
			before = now;
			client.awaitAnswers(Integer.MAX_VALUE, Duration.ofMillis(50));
			now = server.glance().waiting();
		}
	}

	// The cost of a connection without a limit is not a cost of the library, and is
	// subtracted.
	private CrowdFigures sockets() throws IOException, InterruptedException {
		try (RedisServer redis = RedisServer.obtain(); RedisStats stats = new RedisStats(redis.address())) {
			long bare = growth(this.row.bare());
			List<String> limited = new ArrayList<>(this.row.properties(this.crowd));
			limited.add("ratelimit.redis.url=" + redis.address().uri());
			try (CrowdServer server = CrowdServer.start(this.row.fileName(), limited);
					CrowdClient client = new CrowdClient(server.address())) {
				Look before = connect(server, client);
				client.awaitAnswers(this.crowd + 1, SETTLES);
				double cpu = stats.cpuMicros();
				client.awaitAnswers(this.crowd + 1, WATCHED);
				double core = (stats.cpuMicros() - cpu) / 1000 / WATCHED.toMillis();
				Look held = server.look();
				return new CrowdFigures(this.crowd, before.threads(), held.threads(),
						(held.heap() - before.heap() - bare) / this.crowd, core, client.answers());
			}
		}
	}

	private long growth(List<String> properties) throws IOException, InterruptedException {
		try (CrowdServer server = CrowdServer.start(this.row.fileName(), properties);
				CrowdClient client = new CrowdClient(server.address())) {
			Look before = connect(server, client);
			return server.look().heap() - before.heap();
		}
	}

	private Look connect(CrowdServer server, CrowdClient client) throws IOException {
		client.connect(this.crowd);
		client.send(NOT_FOUND);
		client.awaitAnswers(this.crowd, TIMEOUT);
		Look before = server.look();
		client.send(this.row.kind()::request);
		client.awaitAnswers(this.crowd, TIMEOUT);
		return before;
	}

	private static long each(Look held, Look before, int count) {
		return (held.heap() - before.heap()) / count;
	}

}
