package dev.ratelimit.benchmarks.openloop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.ratelimit.benchmarks.Environment;
import dev.ratelimit.benchmarks.report.MarkedPage;

/**
 * Measures all contestants under more load than their backend can process, prints the
 * tables as Markdown, and draws the curves. See {@link OverloadSettings} for the
 * settings.
 */
public final class Overload {

	private static final String PICTURE = "performance-overload.svg";

	private final OverloadSettings settings;

	private final Plan plan;

	private Overload(OverloadSettings settings) {
		this.settings = settings;
		this.plan = settings.plan();
	}

	public static void main(String[] args) throws Exception {
		Overload overload = new Overload(OverloadSettings.of(System.getProperties()));
		if (!overload.settings.tables()) {
			overload.measure();
		}
		overload.write(overload.read());
	}

	// Each contestant has its own file, so that a run can be made in parts.
	private void measure() throws IOException, InterruptedException {
		Files.createDirectories(this.settings.out());
		Files.write(this.settings.out().resolve("environment.txt"), environment());
		for (OverloadContestant contestant : contestants()) {
			if (this.settings.wants(contestant)) {
				Figures figures = OverloadRun.measure(contestant, this.plan);
				Files.write(file(contestant), figures.toLines());
				System.err.println(contestant.name() + " " + figures.values());
			}
		}
	}

	private List<String> environment() {
		List<String> lines = new ArrayList<>(Environment.machine(this.settings.quick()));
		lines.add(
				"Backend: %d slots, lognormal service times with a median of %.0f ms and a sigma of %.1f, so C is %.0f/s"
					.formatted(this.plan.slots(), Plan.MEDIAN_SECONDS * 1000, Plan.SIGMA, this.plan.capacity()));
		if (this.settings.part() != 1) {
			lines.add("Stages: " + this.settings.part() + " of their usual lengths");
		}
		return lines;
	}

	private List<OverloadContestant> contestants() {
		return OverloadContestant.all(this.plan.slots());
	}

	private Path file(OverloadContestant contestant) {
		return this.settings.out().resolve(contestant.fileName() + ".txt");
	}

	private Map<String, Figures> read() throws IOException {
		Map<String, Figures> results = new LinkedHashMap<>();
		for (OverloadContestant contestant : contestants()) {
			if (Files.exists(file(contestant))) {
				results.put(contestant.name(), Figures.parse(Files.readAllLines(file(contestant))));
			}
		}
		return results;
	}

	private void write(Map<String, Figures> results) throws IOException {
		String table = new OverloadTable(results).text();
		String chart = new GoodputChart(this.plan, results).svg();
		String environment = "- "
				+ String.join(".\n- ", Files.readAllLines(this.settings.out().resolve("environment.txt"))) + ".\n\n";
		System.out.println(environment + table);
		Files.writeString(this.settings.out().resolve(PICTURE), chart);
		if (this.settings.docs().isPresent()) {
			Path page = this.settings.docs().orElseThrow();
			Files.writeString(page,
					new MarkedPage(Files.readString(page)).with("overload", environment + table).text());
			Files.writeString(page.resolveSibling("../pictures").resolve(PICTURE), chart);
		}
	}

}
