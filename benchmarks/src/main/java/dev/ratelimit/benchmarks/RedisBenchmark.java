package dev.ratelimit.benchmarks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Decisions against a real Redis, the library beside its peers, as one Markdown table per
 * scenario.
 */
public final class RedisBenchmark {

	private final Settings settings;

	private final RedisAddress address;

	private final RedisStats redis;

	private final Report report = new Report(System.out);

	private RedisBenchmark(Settings settings, RedisAddress address, RedisStats redis) {
		this.settings = settings;
		this.address = address;
		this.redis = redis;
	}

	public static void main(String[] args) throws Exception {
		try (RedisServer server = RedisServer.obtain(); RedisStats redis = new RedisStats(server.address())) {
			new RedisBenchmark(Settings.fromSystemProperties(), server.address(), redis).run();
		}
	}

	private void run() throws Exception {
		this.report.environment(this.settings, this.redis.version());
		for (Scenario scenario : this.settings.scenarios()) {
			this.report.scenario(scenario, measure(scenario));
		}
	}

	private Results<Measurement> measure(Scenario scenario) throws Exception {
		Results<Measurement> results = new Results<>(scenario.entries().stream().map(Entry::name).toList());
		for (int round = 0; round < this.settings.rounds(); round++) {
			for (Entry entry : orderIn(scenario, round)) {
				System.err.printf("%s, round %d: %s%n", scenario.name(), round + 1, entry.name());
				results.add(entry.name(), measure(scenario, entry));
			}
		}
		return results;
	}

	/**
	 * Another contestant goes first each round, so none always follows the same one.
	 */
	private List<Entry> orderIn(Scenario scenario, int round) {
		List<Entry> order = new ArrayList<>(scenario.entries());
		Collections.rotate(order, -round);
		return order;
	}

	private Measurement measure(Scenario scenario, Entry entry) throws Exception {
		this.redis.flush();
		try (Contestant contestant = entry.open(this.address, this.settings.limit())) {
			return new Cell(contestant, this.redis, scenario).run(this.settings.warmup(), this.settings.measure());
		}
	}

}
