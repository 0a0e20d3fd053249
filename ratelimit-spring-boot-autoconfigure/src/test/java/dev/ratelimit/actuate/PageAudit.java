package dev.ratelimit.actuate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

import dev.ratelimit.test.browser.TestBrowser;
import dev.ratelimit.test.clients.ClientPrograms;
import org.openqa.selenium.JavascriptExecutor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Audits the open page in all themes and widths. The tool axe must find no violations,
 * and pictures for manual review are saved in {@code target/live-page}.
 */
final class PageAudit {

	private static final Path PICTURES = Path.of("target", "live-page");

	private static final String FIND = """
			const done = arguments[0];
			axe.run(document, { resultTypes: ['violations'] }).then(
				(found) => done(found.violations.flatMap((one) => one.nodes.map((node) =>
					one.id + ': ' + node.target + ': ' + node.failureSummary))),
				(error) => done([String(error)]));
			""";

	// The page must not scroll horizontally. Table cells may.
	private static final String FITS = "return document.documentElement.scrollWidth <= window.innerWidth";

	private PageAudit() {
	}

	static void check(TestBrowser browser, JavascriptExecutor page, String name) {
		page.executeScript(ClientPrograms.script("axe-core/axe.min.js"));
		browser.showEachLook((look, picture) -> {
			save(name + "-" + look + ".png", picture);
			assertThat((List<?>) Objects.requireNonNull(page.executeAsyncScript(FIND))).as(name + ", " + look)
				.isEmpty();
			assertThat(page.executeScript(FITS)).as(name + ", " + look + ", without scrolling sideways")
				.isEqualTo(true);
		});
	}

	private static void save(String file, byte[] picture) {
		try {
			Files.createDirectories(PICTURES);
			Files.write(PICTURES.resolve(file), picture);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
