package dev.ratelimit.test.browser;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The browser of this machine.
 *
 * @param binary the executable of the browser
 * @param driver the executable of the driver
 */
record InstalledBrowser(Path binary, Path driver) {

	/**
	 * Return the browser on the path.
	 * @return the browser, empty if there is none and none is required
	 */
	static Optional<InstalledBrowser> ofEnvironment() {
		String path = System.getenv().getOrDefault("PATH", "");
		return of(Arrays.stream(path.split(File.pathSeparator)).map(Path::of).toList(),
				System.getProperty("test.browser", "auto"));
	}

	static Optional<InstalledBrowser> of(List<Path> searchPath, String choice) {
		if (!List.of("auto", "required").contains(choice)) {
			throw new IllegalStateException("-Dtest.browser=" + choice + " must be auto or required");
		}
		Optional<InstalledBrowser> installed = find("chromium", searchPath).flatMap(
				(binary) -> find("chromedriver", searchPath).map((driver) -> new InstalledBrowser(binary, driver)));
		if (installed.isEmpty() && choice.equals("required")) {
			throw new IllegalStateException(
					"-Dtest.browser=required, but chromium and chromedriver are not on the path: install them");
		}
		return installed;
	}

	private static Optional<Path> find(String name, List<Path> searchPath) {
		return searchPath.stream().map((directory) -> directory.resolve(name)).filter(Files::isExecutable).findFirst();
	}

}
