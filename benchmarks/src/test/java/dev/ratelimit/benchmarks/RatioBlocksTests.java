package dev.ratelimit.benchmarks;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;

import dev.ratelimit.benchmarks.report.Ratios;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RatioBlocksTests {

	// If a row of a block were in no table, the block would never be written.
	@Test
	void comparesRowsThatTablesHave() {
		Map<String, List<String>> rows = rows();
		assertThat(RatioBlocks.all()).flatExtracting(Ratios::lines).isNotEmpty().allSatisfy((line) -> {
			assertThat(rows).containsKey(line.table());
			assertThat(rows.get(line.table())).contains(line.row(), line.baseline()).containsAll(line.others());
		});
	}

	private static Map<String, List<String>> rows() {
		Settings settings = Settings.of(new Properties());
		Map<String, List<String>> rows = new HashMap<>();
		Stream.concat(new DecisionTables(settings).all().stream(), HttpTables.all(settings).stream())
			.forEach((table) -> rows.put(table.layout().id(), names(table)));
		return rows;
	}

	private static List<String> names(Table table) {
		if (table instanceof WorkerTable decisions) {
			return decisions.rows().stream().map(WorkerTable.Row::name).toList();
		}
		return (table instanceof HttpTable http) ? http.rows().stream().map(HttpRow::name).toList() : List.of();
	}

}
