package dev.ratelimit.test.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;

import org.openqa.selenium.By;
import org.openqa.selenium.WebDriver;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

import org.springframework.util.FileSystemUtils;

/**
 * A headless browser with a page of its own origin open.
 */
public final class TestBrowser implements AutoCloseable {

	private static final String FETCH = """
			const [url, options, done] = arguments;
			fetch(url, options).then(async (response) => {
				const seen = { status: String(response.status), body: await response.text() };
				response.headers.forEach((value, name) => seen[name] = value);
				done(seen);
			}).catch((error) => done({ error: error.name }));
			""";

	private final PageServer page;

	private final Path profile;

	private final ChromeDriver driver;

	private TestBrowser(PageServer page, Path profile, ChromeDriver driver) {
		this.page = page;
		this.profile = profile;
		this.driver = driver;
	}

	static TestBrowser start(InstalledBrowser installed) {
		Path profile = temporary();
		ChromeOptions options = new ChromeOptions();
		options.setBinary(installed.binary().toFile());
		options.addArguments("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
				"--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update",
				"--disable-sync", "--user-data-dir=" + profile);
		// Without this name, Selenium would search for the driver on the network.
		ChromeDriverService service = new ChromeDriverService.Builder()
			.usingDriverExecutable(installed.driver().toFile())
			.usingAnyFreePort()
			.build();
		ChromeDriver driver = new ChromeDriver(service, options);
		driver.manage().timeouts().scriptTimeout(Duration.ofSeconds(20));
		return new TestBrowser(PageServer.start(), profile, driver);
	}

	/**
	 * Fetch a URL from a page of another origin, and return the readable parts of the
	 * response.
	 * @param url the URL
	 * @param options the options of {@code fetch}
	 * @return the status, the body, and all readable header fields by their names in
	 * lower case; or only the name of the error
	 */
	public Map<String, String> fetch(String url, Map<String, ?> options) {
		this.driver.get(this.page.url());
		Map<?, ?> seen = (Map<?, ?>) Objects.requireNonNull(this.driver.executeAsyncScript(FETCH, url, options));
		Map<String, String> text = new LinkedHashMap<>();
		seen.forEach((name, value) -> text.put(name.toString(), value.toString()));
		return text;
	}

	/**
	 * Return the visible text of a page.
	 * @param url the URL
	 * @return the text of the page
	 */
	public String open(String url) {
		this.driver.get(url);
		return this.driver.findElement(By.tagName("body")).getText();
	}

	/**
	 * Open a page to simulate a user.
	 * @param url the URL
	 * @return the driver of the browser, which other tests share
	 */
	public WebDriver use(String url) {
		this.driver.get(url);
		return this.driver;
	}

	/**
	 * Show the open page in each look: light, dark, and as wide as a phone.
	 * @param seen receives the name of each look, and a picture of the whole page
	 */
	public void showEachLook(BiConsumer<String, byte[]> seen) {
		for (Look look : Look.values()) {
			this.driver.executeCdpCommand("Emulation.setEmulatedMedia", Map.of("features",
					List.of(Map.of("name", "prefers-color-scheme", "value", (look.dark) ? "dark" : "light"))));
			this.driver.executeCdpCommand("Emulation.setDeviceMetricsOverride",
					Map.of("width", look.width, "height", 900, "deviceScaleFactor", 1, "mobile", look.width < 500));
			Map<String, Object> picture = this.driver.executeCdpCommand("Page.captureScreenshot",
					Map.of("format", "png", "captureBeyondViewport", true));
			seen.accept(look.name().toLowerCase(Locale.ROOT),
					Base64.getDecoder().decode(String.valueOf(picture.get("data"))));
		}
		this.driver.executeCdpCommand("Emulation.setEmulatedMedia", Map.of("features", List.of()));
		this.driver.executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
	}

	@Override
	public void close() {
		this.driver.quit();
		this.page.close();
		try {
			FileSystemUtils.deleteRecursively(this.profile);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Path temporary() {
		try {
			return Files.createTempDirectory("browser");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * A theme and a width.
	 */
	private enum Look {

		LIGHT(1280, false), DARK(1280, true), PHONE(390, false), DARK_PHONE(390, true);

		private final int width;

		private final boolean dark;

		Look(int width, boolean dark) {
			this.width = width;
			this.dark = dark;
		}

	}

}
