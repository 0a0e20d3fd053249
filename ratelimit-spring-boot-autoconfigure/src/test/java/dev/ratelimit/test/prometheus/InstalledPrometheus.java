package dev.ratelimit.test.prometheus;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The Prometheus of this machine.
 *
 * @param server the executable of the server
 * @param promtool the executable that checks and tests rules
 */
record InstalledPrometheus(Path server, Path promtool) {

	/**
	 * Return Prometheus on the path.
	 * @return Prometheus, empty if there is none and none is required
	 */
	static Optional<InstalledPrometheus> ofEnvironment() {
		String path = System.getenv().getOrDefault("PATH", "");
		return of(Arrays.stream(path.split(File.pathSeparator)).map(Path::of).toList(),
				System.getProperty("test.prometheus", "auto"));
	}

	static Optional<InstalledPrometheus> of(List<Path> searchPath, String choice) {
		if (!List.of("auto", "required").contains(choice)) {
			throw new IllegalStateException("-Dtest.prometheus=" + choice + " must be auto or required");
		}
		Optional<InstalledPrometheus> installed = find("prometheus", searchPath).flatMap(
				(server) -> find("promtool", searchPath).map((promtool) -> new InstalledPrometheus(server, promtool)));
		if (installed.isEmpty() && choice.equals("required")) {
			throw new IllegalStateException(
					"-Dtest.prometheus=required, but prometheus and promtool are not on the path: install them");
		}
		return installed;
	}

	private static Optional<Path> find(String name, List<Path> searchPath) {
		return searchPath.stream().map((directory) -> directory.resolve(name)).filter(Files::isExecutable).findFirst();
	}

}
