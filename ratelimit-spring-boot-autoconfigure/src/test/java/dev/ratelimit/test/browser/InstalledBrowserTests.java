package dev.ratelimit.test.browser;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class InstalledBrowserTests {

	@TempDir
	private Path directory = Path.of("");

	@Test
	void bothPartsAreNeeded() throws IOException {
		Path browser = executable("chromium");
		assertThat(InstalledBrowser.of(List.of(this.directory), "auto")).isEmpty();
		Path driver = executable("chromedriver");
		assertThat(InstalledBrowser.of(List.of(Path.of("nowhere"), this.directory), "required"))
			.contains(new InstalledBrowser(browser, driver));
	}

	@Test
	void missingInstallationIsRejectedIfRequired() {
		assertThatIllegalStateException().isThrownBy(() -> InstalledBrowser.of(List.of(), "required"))
			.withMessageContaining("install them");
		assertThatIllegalStateException().isThrownBy(() -> InstalledBrowser.of(List.of(), "maybe"))
			.withMessageContaining("-Dtest.browser=maybe");
	}

	private Path executable(String name) throws IOException {
		Path file = Files.createFile(this.directory.resolve(name));
		assertThat(file.toFile().setExecutable(true)).isTrue();
		return file;
	}

}
