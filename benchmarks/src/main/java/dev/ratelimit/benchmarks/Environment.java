package dev.ratelimit.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;

import com.sun.management.OperatingSystemMXBean;

/**
 * Describes the machine and the versions of a run.
 */
public final class Environment {

	private static final String QUICK = ". A quick run: it shows that the benchmarks run, not how fast anything is";

	private Environment() {
	}

	static boolean isQuick(List<String> lines) {
		return lines.stream().anyMatch((line) -> line.endsWith(QUICK));
	}

	static List<String> describe(Settings settings, String redisVersion) {
		List<String> lines = new ArrayList<>(machine(settings.quick()));
		lines.add("Versions: JDK %s (%s), Redis %s, %s".formatted(System.getProperty("java.version"),
				System.getProperty("java.vendor"), redisVersion, libraries()));
		lines.add("Decisions: " + settings.decisions());
		lines.add("HTTP: %s, wrk with 2 threads".formatted(settings.http()));
		return lines;
	}

	/**
	 * Return the date and the machine of a run.
	 * @param quick whether the run is a quick one
	 */
	public static List<String> machine(boolean quick) {
		OperatingSystemMXBean machine = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
		return List.of("Date: %s%s".formatted(LocalDate.now(), (quick) ? QUICK : ""),
				"Machine: %d cores (%s), %d GB, %s %s; clients and servers share it".formatted(
						Runtime.getRuntime().availableProcessors(), processor(), machine.getTotalMemorySize() >> 30,
						System.getProperty("os.name"), System.getProperty("os.version")));
	}

	private static String libraries() {
		Properties versions = new Properties();
		try (InputStream file = Environment.class.getResourceAsStream("versions.properties")) {
			versions.load(Objects.requireNonNull(file, "versions.properties"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return String.join(", ",
				versions.stringPropertyNames()
					.stream()
					.sorted()
					.map((name) -> name.replace('.', ' ') + " " + versions.getProperty(name))
					.toList());
	}

	private static String processor() {
		try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
			return lines.filter((line) -> line.startsWith("model name"))
				.map((line) -> line.substring(line.indexOf(':') + 1).trim())
				.findFirst()
				.orElse(System.getProperty("os.arch"));
		}
		catch (IOException ex) {
			// Only Linux has this file.
			return System.getProperty("os.arch");
		}
	}

}
