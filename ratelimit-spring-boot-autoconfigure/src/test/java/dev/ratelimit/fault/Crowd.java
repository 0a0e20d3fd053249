package dev.ratelimit.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.test.redis.TestRedis;

/**
 * A flood over the limit of one client, with concurrent clients and logins that keep to
 * their limits. The application has its default configuration.
 */
final class Crowd implements AutoCloseable {

	static final int LIMIT = 10;

	static final String FLOODED = "/hello";

	private static final String LOGIN = "/login";

	private static final int HONEST_PER_SECOND = 10;

	/** The required number of counted requests out of the last 20. */
	private static final int COUNTED = 5;

	/** The number of clients to check. Two clients complete their requests per second. */
	private static final int LAST_CALLERS = 8;

	private static final Duration DEBTS_ARE_CHARGED = Duration.ofSeconds(5);

	private final long startNanos = System.nanoTime();

	private final ChildProcess child;

	private final Flood flood;

	private final HonestClients honest;

	private final HonestClients logins;

	private Crowd(ChildProcess child, int connections) {
		this.child = child;
		this.flood = Flood.start(child.port(), connections, FLOODED, "flood");
		this.honest = HonestClients.start(child.port(), HONEST_PER_SECOND, FLOODED, "honest");
		this.logins = HonestClients.start(child.port(), HONEST_PER_SECOND, LOGIN, "login");
	}

	/**
	 * Start an application without sending requests.
	 */
	static ChildProcess application(Server server, TestRedis redis) {
		List<String> rules = List.of("--ratelimit.rules.hello.paths=" + FLOODED,
				"--ratelimit.rules.hello.limit=" + LIMIT + "/min", "--ratelimit.rules.login.paths=" + LOGIN,
				"--ratelimit.rules.login.limit=" + LIMIT + "/min", "--ratelimit.rules.login.failure=closed");
		return ChildProcess
			.start(Stream.of(server.arguments(), rules, List.of(Instance.redis(redis.host(), redis.port())))
				.flatMap(List::stream)
				.toArray(String[]::new));
	}

	static Crowd of(ChildProcess child, int connections) {
		return new Crowd(child, connections);
	}

	void lasts(Duration duration) {
		HttpLoad.pass(duration);
	}

	/**
	 * Continue until the store counts at least a quarter of the last 20 requests of
	 * clients that keep to their limits, which means that the breaker is closed.
	 * @param longest the maximum time to wait
	 * @return whether the store counts enough requests
	 */
	boolean lastsUntilCounted(Duration longest) {
		long endNanos = System.nanoTime() + longest.toNanos();
		while (this.honest.countedRecently() < COUNTED || this.logins.countedRecently() < COUNTED) {
			if (System.nanoTime() - endNanos >= 0) {
				return false;
			}
			HttpLoad.pass(Duration.ofMillis(50));
		}
		return true;
	}

	/**
	 * Return the maximum number of allowed requests: the limit of the store and the limit
	 * of the instance, each with the refill during the given time.
	 */
	static long most(Duration duration) {
		return 2 * (LIMIT + (duration.toMillis() * LIMIT + 59_999) / 60_000);
	}

	/**
	 * End the load.
	 * @param scenario the name of the scenario
	 * @return the results
	 */
	ScenarioRow end(String scenario, Server server) {
		Tally flooded = this.flood.stop();
		long most = most(Duration.ofNanos(System.nanoTime() - this.startNanos));
		ScenarioRow row = new ScenarioRow(scenario, server, flooded, this.honest.stop(), this.logins.stop(), most,
				this.child.strain());
		FaultTable.add(row);
		return row;
	}

	/**
	 * Send further requests of the last clients that kept to their limit, after debts are
	 * charged. Their allowed requests must be charged, regardless of whether Redis or the
	 * instance counted them.
	 * @return the number of further allowed requests for each client
	 */
	List<Integer> allowedAgain() {
		HttpLoad.pass(DEBTS_ARE_CHARGED);
		try (HttpCaller caller = new HttpCaller(this.child.port())) {
			List<Integer> allowed = new ArrayList<>();
			for (String name : this.honest.last(LAST_CALLERS)) {
				int count = 0;
				for (int i = 0; i < LIMIT;) {
					caller.send(FLOODED, name);
					ResponseHead head = caller.receive();
					// One that this instance allows, because a reply was late, says
					// nothing
					// about the store.
					if (head.status() != 200 || head.counted()) {
						i++;
						count += (head.status() == 200) ? 1 : 0;
					}
				}
				allowed.add(count);
			}
			return allowed;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		this.flood.close();
		this.honest.close();
		this.logins.close();
	}

}
