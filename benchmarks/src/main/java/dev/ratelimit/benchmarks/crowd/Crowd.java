package dev.ratelimit.benchmarks.crowd;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.benchmarks.Environment;
import dev.ratelimit.benchmarks.report.MarkedPage;

/**
 * Measures the cost of thousands of requests and connections that an application holds,
 * and prints it. The system property {@code crowd} is their number, {@code rows} contains
 * parts of the names of the rows to measure, and {@code docs} is the page in which the
 * table is replaced.
 */
public final class Crowd {

	private Crowd() {
	}

	public static void main(String[] args) throws IOException, InterruptedException {
		int crowd = Integer.getInteger("crowd", 10_000);
		List<String> wanted = Stream.of(System.getProperty("rows", "").split(";")).map(String::trim).toList();
		StringBuilder table = new StringBuilder(CrowdFigures.HEADER);
		for (CrowdRow row : CrowdRow.all()) {
			if (wanted.stream().anyMatch(row.name()::contains)) {
				String line = new CrowdRun(row, crowd).measure().line(row.name());
				System.err.print(line);
				table.append(line);
			}
		}
		write("- " + String.join(".\n- ", Environment.machine(false)) + ". JDK " + Runtime.version().feature() + ".\n\n"
				+ table);
	}

	private static void write(String text) throws IOException {
		System.out.println(text);
		String docs = System.getProperty("docs");
		if (docs != null) {
			Path page = Path.of(docs);
			Files.writeString(page, new MarkedPage(Files.readString(page)).with("crowd", text).text());
		}
	}

}
