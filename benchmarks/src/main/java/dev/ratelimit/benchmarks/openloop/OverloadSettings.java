package dev.ratelimit.benchmarks.openloop;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * The settings of a run, from the system properties with the names of the components.
 *
 * @param quick whether the run only shows that everything runs
 * @param rows the parts of the names of the contestants to measure; all if there are none
 * @param slots the number of slots of the backend
 * @param part the factor for the lengths of all stages
 * @param out the directory for the figures
 * @param tables whether to write tables of the figures in that directory, instead of
 * measuring
 * @param docs the page in which the block and the picture are replaced
 */
record OverloadSettings(boolean quick, List<String> rows, int slots, double part, Path out, boolean tables,
		Optional<Path> docs) {

	/** One contestant of each kind. */
	private static final String QUICK_ROWS = "no wait;adaptive (Tomcat)";

	static OverloadSettings of(Properties properties) {
		boolean quick = Boolean.parseBoolean(properties.getProperty("quick", "false"));
		return new OverloadSettings(quick,
				Stream.of(properties.getProperty("rows", (quick) ? QUICK_ROWS : "").split(";"))
					.map(String::trim)
					.filter((row) -> !row.isEmpty())
					.toList(),
				Integer.parseInt(properties.getProperty("slots", (quick) ? "4" : "32")),
				Double.parseDouble(properties.getProperty("part", "1")),
				Path.of(properties.getProperty("out",
						"benchmarks/target/results/overload" + ((quick) ? "-quick" : ""))),
				Boolean.parseBoolean(properties.getProperty("tables", "false")),
				Optional.ofNullable(properties.getProperty("docs")).map(Path::of));
	}

	Plan plan() {
		return ((this.quick) ? Plan.quick(this.slots) : Plan.full(this.slots)).shortened(this.part);
	}

	boolean wants(OverloadContestant contestant) {
		return this.rows.isEmpty() || this.rows.stream().anyMatch(contestant.name()::contains);
	}

}
