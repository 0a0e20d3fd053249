package dev.ratelimit.test.etcd;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The etcd of this machine.
 */
final class InstalledEtcd {

	private InstalledEtcd() {
	}

	/**
	 * Return the executable on the path.
	 * @return the executable, empty if there is none and none is required
	 */
	static Optional<Path> ofEnvironment() {
		String path = System.getenv().getOrDefault("PATH", "");
		return of(Arrays.stream(path.split(File.pathSeparator)).map(Path::of).toList(),
				System.getProperty("test.etcd", "auto"));
	}

	static Optional<Path> of(List<Path> searchPath, String choice) {
		if (!List.of("auto", "required").contains(choice)) {
			throw new IllegalStateException("-Dtest.etcd=" + choice + " must be auto or required");
		}
		Optional<Path> installed = searchPath.stream()
			.map((directory) -> directory.resolve("etcd"))
			.filter(Files::isExecutable)
			.findFirst();
		if (installed.isEmpty() && choice.equals("required")) {
			throw new IllegalStateException("-Dtest.etcd=required, but etcd is not on the path: install it");
		}
		return installed;
	}

}
