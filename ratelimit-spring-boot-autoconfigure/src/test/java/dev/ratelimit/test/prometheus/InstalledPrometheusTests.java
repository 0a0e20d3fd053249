package dev.ratelimit.test.prometheus;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class InstalledPrometheusTests {

	@TempDir
	private Path directory = Path.of("");

	@Test
	void bothPartsAreNeeded() throws IOException {
		Path server = executable("prometheus");
		assertThat(InstalledPrometheus.of(List.of(this.directory), "auto")).isEmpty();
		Path promtool = executable("promtool");
		assertThat(InstalledPrometheus.of(List.of(Path.of("nowhere"), this.directory), "required"))
			.contains(new InstalledPrometheus(server, promtool));
	}

	@Test
	void missingInstallationIsRejectedIfRequired() {
		assertThatIllegalStateException().isThrownBy(() -> InstalledPrometheus.of(List.of(), "required"))
			.withMessageContaining("install them");
		assertThatIllegalStateException().isThrownBy(() -> InstalledPrometheus.of(List.of(), "maybe"))
			.withMessageContaining("-Dtest.prometheus=maybe");
	}

	private Path executable(String name) throws IOException {
		Path file = Files.createFile(this.directory.resolve(name));
		assertThat(file.toFile().setExecutable(true)).isTrue();
		return file;
	}

}
