package dev.ratelimit.docs;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the table of shards matches the benchmark results.
 */
class ScaleTests {

	private static final double MOST_BUSY = 0.6;

	private static final double FRAGMENTATION = 1.2;

	private static final double NODE_BYTES = 4e9;

	private static final double LEASED_CALLS = 0.1;

	private static final Pattern ROW = Pattern
		.compile("(?m)^\\| ([\\d,]+) \\| ([\\d,]+) \\| ([\\d,]+) \\| ([\\d,]+) \\|$");

	private final MarkdownPage scale = MarkdownPage.of("docs/scale.md");

	private final MarkdownPage benchmarks = MarkdownPage.of("docs/benchmarks/README.md");

	@Test
	void theFiguresAreThoseOfTheBenchmarks() {
		assertThat(this.scale.text()).contains("| " + cpu() + " µs, if").contains("| " + memory() + " bytes,");
	}

	@Test
	void theShardsFollowFromTheFigures() {
		List<MatchResult> rows = ROW.matcher(this.scale.text()).results().toList();
		assertThat(rows).hasSize(4).allSatisfy((row) -> {
			double decisions = number(row.group(1));
			double keys = number(row.group(2));
			assertThat(number(row.group(3))).isEqualTo(shards(decisions, keys));
			assertThat(number(row.group(4))).isEqualTo(shards(decisions * LEASED_CALLS, keys));
		});
	}

	private double shards(double calls, double keys) {
		double busy = calls * number(cpu()) / 1_000_000 / MOST_BUSY;
		double full = keys * number(memory()) * FRAGMENTATION / NODE_BYTES;
		return Math.max(rounded(busy), rounded(full));
	}

	private static double rounded(double shards) {
		double tolerance = 1e-9;
		return Math.ceil(shards - tolerance);
	}

	private String cpu() {
		return cell("strict-8", "RateLimiter, strict", "Redis CPU us");
	}

	private String memory() {
		return cell("redis-memory", "RateLimiter, one limit", "bytes in Redis per subject");
	}

	private String cell(String table, String row, String column) {
		Matcher found = Pattern.compile("<!-- table:" + table + " -->(.*?)<!-- end:" + table + " -->", Pattern.DOTALL)
			.matcher(this.benchmarks.text());
		assertThat(found.find()).isTrue();
		List<String[]> lines = found.group(1)
			.lines()
			.filter((line) -> line.startsWith("|"))
			.map((line) -> line.split(" *\\| *"))
			.toList();
		int index = List.of(lines.get(0)).indexOf(column);
		assertThat(index).isPositive();
		return lines.stream().filter((line) -> line[1].equals(row)).findFirst().orElseThrow()[index];
	}

	private static double number(String text) {
		return Double.parseDouble(text.replace(",", ""));
	}

}
