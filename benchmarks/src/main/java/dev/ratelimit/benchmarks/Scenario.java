package dev.ratelimit.benchmarks;

import java.util.List;
import java.util.function.Predicate;

record Scenario(String name, int callers, int keys, List<Entry> entries) {

	static List<Scenario> all() {
		return List.of(new Scenario("many", 64, 100_000, Contestants.peers()),
				new Scenario("hot", 128, 1, Contestants.peers()),
				new Scenario("algorithms", 64, 100_000, Contestants.algorithms()));
	}

	Scenario only(Predicate<String> rows) {
		return new Scenario(this.name, this.callers, this.keys,
				this.entries.stream().filter((entry) -> rows.test(entry.name())).toList());
	}

	Scenario with(int other) {
		return new Scenario(this.name, other, this.keys, this.entries);
	}

	@Override
	public String toString() {
		return "%s: %d caller%s, %,d key%s".formatted(this.name, this.callers, (this.callers != 1) ? "s" : "",
				this.keys, (this.keys != 1) ? "s" : "");
	}

}
