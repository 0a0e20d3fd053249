package dev.ratelimit.test.etcd;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class InstalledEtcdTests {

	@TempDir
	private Path directory = Path.of("");

	@Test
	void theFirstOnThePathIsUsed() throws IOException {
		assertThat(InstalledEtcd.of(List.of(this.directory), "auto")).isEmpty();
		Path file = Files.createFile(this.directory.resolve("etcd"));
		assertThat(file.toFile().setExecutable(true)).isTrue();
		assertThat(InstalledEtcd.of(List.of(Path.of("nowhere"), this.directory), "required")).contains(file);
	}

	@Test
	void missingInstallationIsRejectedIfRequired() {
		assertThatIllegalStateException().isThrownBy(() -> InstalledEtcd.of(List.of(), "required"))
			.withMessageContaining("install it");
		assertThatIllegalStateException().isThrownBy(() -> InstalledEtcd.of(List.of(), "maybe"))
			.withMessageContaining("-Dtest.etcd=maybe");
	}

}
