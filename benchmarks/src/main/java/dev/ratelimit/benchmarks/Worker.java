package dev.ratelimit.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import dev.ratelimit.benchmarks.report.Figures;

/**
 * Runs one contestant in its own JVM, so that the compiled code contains no calls of
 * other contestants. It reads commands from its standard input, one in each line, and
 * prints a line of figures for each of them.
 */
public final class Worker {

	/** The beginning of each line on standard output that is a response. */
	static final String ANSWER = "figures: ";

	private final Contestant contestant;

	private final RedisStats redis;

	/**
	 * The prefix of all keys. Its length is the same for all contestants. It differs for
	 * each peer, because peers share Redis.
	 */
	private final String prefix;

	private final Map<Integer, String[]> keys = new HashMap<>();

	private Worker(String name, Contestant contestant, RedisStats redis) {
		this.prefix = name.charAt(0) + ":";
		this.contestant = contestant;
		this.redis = redis;
	}

	public static void main(String[] args) throws Exception {
		Assignment assignment = Assignment.parse(args[1]);
		Setup setup = assignment.setup(RedisAddress.parse(args[0]));
		Contestants.check(assignment.contestant(), setup);
		try (Contestant contestant = RejectingContestant.of(Contestants.open(assignment.contestant(), setup), setup);
				RedisStats redis = new RedisStats(setup.redis())) {
			new Worker(assignment.contestant(), contestant, redis).serve();
		}
		// End the process, even if a peer has left threads running.
		System.exit(0);
	}

	private void serve() throws Exception {
		System.out.println(ANSWER);
		BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		for (String line = next(commands); !line.isEmpty(); line = next(commands)) {
			System.out.println(ANSWER + obey(line.split(" ")).toLine());
		}
	}

	private static String next(BufferedReader commands) throws IOException {
		String line = commands.readLine();
		return (line != null) ? line : "";
	}

	private Figures obey(String[] command) throws Exception {
		return switch (command[0]) {
			case "measure" -> measure(Load.parse(command[1]), Duration.parse(command[2]), Duration.parse(command[3]));
			case "redis-memory" ->
				Footprint.inRedis(this.contestant, this.redis, this.prefix, Integer.parseInt(command[1]));
			case "heap" -> Footprint.inHeap(this.contestant, Integer.parseInt(command[1]));
			default -> throw new IllegalArgumentException("No command " + command[0]);
		};
	}

	private Figures measure(Load load, Duration ramp, Duration time) throws Exception {
		String[] names = this.keys.get(load.keys());
		if (names == null) {
			names = Keys.create(this.prefix, load.keys());
			this.keys.put(load.keys(), names);
			this.contestant.prepare(names);
			if (load.filled()) {
				Footprint.chargeEach(this.contestant, names);
			}
		}
		return new Window(this.contestant, this.redis).measure(load, names, ramp, time);
	}

}
