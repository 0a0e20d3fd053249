package dev.ratelimit.benchmarks;

import java.util.List;

record Scenario(String name, int callers, int keys) {

	static List<Scenario> all() {
		return List.of(new Scenario("many", 64, 100_000), new Scenario("hot", 128, 1));
	}

	@Override
	public String toString() {
		return "%s: %d callers, %,d key%s".formatted(this.name, this.callers, this.keys, (this.keys != 1) ? "s" : "");
	}

}
