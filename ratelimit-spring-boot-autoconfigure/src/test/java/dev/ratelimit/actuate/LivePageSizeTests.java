package dev.ratelimit.actuate;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.BanKind;
import dev.ratelimit.ban.Bans;
import dev.ratelimit.http.HttpProbe;
import dev.ratelimit.test.browser.BrowserTest;
import dev.ratelimit.test.browser.TestBrowser;
import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.JavascriptExecutor;
import org.openqa.selenium.WebDriver;
import org.openqa.selenium.chrome.ChromeDriver;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the live page of an application with 1,000 rules, 100 instances, and 10,000 bans.
 */
@RedisTest
@Tag("long")
@Tag("nightly")
class LivePageSizeTests {

	/** A generous timeout, because the test verifies completeness and not speed. */
	private static final Duration TIMEOUT = Duration.ofSeconds(60);

	/** The time for which the page is open, in minutes. */
	private static final long MINUTES = Long.getLong("test.page.minutes", 60);

	private static final long TWO_MEGABYTES = 2 * 1024 * 1024;

	private static final String SIZES = """
			const rows = (id) => document.getElementById(id).tBodies[0].rows.length;
			return [rows('rules'), rows('instances'), rows('bans')].join(' ');
			""";

	/** Shortens the pauses of the page by a factor of 100. */
	private static final String HASTE = """
			const sleep = window.setTimeout, load = window.fetch;
			window.ticks = 0;
			window.setTimeout = (work, pause) => sleep(work, pause / 100);
			window.fetch = (target, options) => {
				window.ticks += String(target).includes('/page') ? 1 : 0;
				return load(target, options);
			};
			""";

	private ConfigurableApplicationContext application;

	private void start(TestRedis redis, int rules) {
		Stream<String> own = Stream.of("--server.port=0", "--spring.main.banner-mode=off",
				"--spring.application.name=large", "--ratelimit.redis.host=" + redis.host(),
				"--ratelimit.redis.port=" + redis.port(), "--ratelimit.live.source=redis",
				"--ratelimit.bans.enabled=true", "--ratelimit.bans.max=20000",
				"--management.endpoints.web.exposure.include=ratelimitui,ratelimitlive");
		Stream<String> limits = IntStream.range(0, rules)
			.mapToObj((i) -> "--ratelimit.rules.rule-" + i + "=/path-" + i + "/** 100/min per user");
		this.application = new SpringApplicationBuilder(LivePageBrowserTests.Application.class)
			.web(WebApplicationType.SERVLET)
			.run(Stream.concat(own, limits).toArray(String[]::new));
	}

	@AfterEach
	void stop() {
		this.application.close();
	}

	@Test
	@BrowserTest
	void allRulesInstancesAndTheLatestBansAreShown(TestBrowser browser, TestRedis redis) {
		start(redis, 1000);
		Bans bans = this.application.getBean(Bans.class);
		// Impose a hundred bans at a time, because calls that wait too long for Redis are
		// rejected.
		for (int first = 0; first < 10_000; first += 100) {
			IntStream.range(first, first + 100)
				.mapToObj(
						(i) -> bans.impose("rule-" + (i % 1000), "user:" + i, BanKind.BAN, Duration.ofHours(1), "bob"))
				.toList()
				.forEach((imposed) -> imposed.join());
		}
		addInstances(redis);
		WebDriver page = open(browser);
		awaitScript(page, SIZES, "1000 100 200");
		Object millis = ((JavascriptExecutor) page).executeScript("return Math.round(performance.now())");
		System.out.printf(Locale.ROOT, "All rows are shown %s ms after the navigation%n", millis);
	}

	@Test
	@BrowserTest
	void thePageNeedsNoMoreMemoryLaterThanAfterFiveMinutes(TestBrowser browser, TestRedis redis) {
		start(redis, 10);
		ChromeDriver page = (ChromeDriver) browser.use("about:blank");
		Map<String, Object> haste = page.executeCdpCommand("Page.addScriptToEvaluateOnNewDocument",
				Map.of("source", HASTE));
		try {
			open(browser);
			awaitScript(page, SIZES, "10 1 1");
			String[] client = { "Authorization", HttpProbe.basic("alice", "secret") };
			new HttpProbe(port()).statuses(150, "GET", "/path-7/x", client);
			awaitTicks(page, 300);
			long early = heap(page);
			awaitTicks(page, 60 * MINUTES);
			assertThat(heap(page)).isLessThanOrEqualTo(early + TWO_MEGABYTES);
		}
		finally {
			page.executeCdpCommand("Page.removeScriptToEvaluateOnNewDocument",
					Map.of("identifier", haste.get("identifier")));
		}
	}

	private static long heap(ChromeDriver page) {
		page.executeCdpCommand("HeapProfiler.collectGarbage", Map.of());
		return ((Number) page.executeCdpCommand("Runtime.getHeapUsage", Map.of()).get("usedSize")).longValue();
	}

	private static void awaitTicks(WebDriver page, long ticks) {
		Awaitility.await()
			.atMost(TIMEOUT.multipliedBy(5))
			.until(() -> ((Number) ((JavascriptExecutor) page).executeScript("return window.ticks"))
				.longValue() >= ticks);
	}

	private static void awaitScript(WebDriver page, String script, String result) {
		Awaitility.await()
			.atMost(TIMEOUT)
			.pollInterval(Duration.ofMillis(50))
			.until(() -> result.equals(((JavascriptExecutor) page).executeScript(script)));
	}

	// Copy the entry of this instance under other names.
	private static void addInstances(TestRedis redis) {
		String key = Awaitility.await()
			.until(() -> redis.command("KEYS", "*large*about*"), (found) -> !found.isBlank());
		String report = redis.command("HVALS", key.strip()).strip();
		IntStream.range(1, 100)
			.forEach((i) -> redis.command("HSET", key.strip(), String.format("%08x", i),
					report.replaceFirst("^\\d+", Long.toString(System.currentTimeMillis() + 600_000))));
	}

	private WebDriver open(TestBrowser browser) {
		return browser.use("http://oscar:secret@localhost:" + port() + "/actuator/ratelimitui");
	}

	private int port() {
		return this.application.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
	}

}
