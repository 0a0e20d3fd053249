package dev.ratelimit.actuate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.BanKind;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.RuleMode;
import dev.ratelimit.ban.Bans;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.http.HttpProbe;
import dev.ratelimit.live.SwitchRequest;
import dev.ratelimit.live.Switches;
import dev.ratelimit.test.browser.BrowserTest;
import dev.ratelimit.test.browser.TestBrowser;
import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.JavascriptExecutor;
import org.openqa.selenium.Keys;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebDriver;
import org.openqa.selenium.WebElement;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the live page in a real browser, with two instances on one Redis.
 */
@RedisTest
class LivePageBrowserTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(20);

	/** Collects the notes on the instances after an edit is written. */
	private static final String NOTES = """
			window.notes = [];
			new MutationObserver(() => {
				if (window.written) { window.notes.push(document.getElementById('instances-note').textContent); }
			}).observe(document.getElementById('instances-note'), { childList: true, characterData: true, subtree: true });
			new MutationObserver(() => {
				window.written ||= document.getElementById('said').textContent === 'The change is written.';
			}).observe(document.getElementById('said'), { childList: true, characterData: true, subtree: true });
			""";

	/** Makes every pause of five seconds or longer that begins from now on endless. */
	private static final String ENDLESS_PAUSES = """
			const before = window.setTimeout;
			window.setTimeout = (work, millis) => {
				window.paused ||= millis === 5000;
				return before(work, millis < 5000 ? millis : 2147483647);
			};
			""";

	private ConfigurableApplicationContext first;

	private ConfigurableApplicationContext second;

	@BeforeEach
	void start(TestRedis redis) {
		this.first = instance(redis);
		this.second = instance(redis);
	}

	@AfterEach
	void stop() {
		this.first.close();
		this.second.close();
	}

	private static ConfigurableApplicationContext instance(TestRedis redis) {
		return instance(redis, "--spring.application.name=page", "--ratelimit.live.source=redis");
	}

	// With the long deadline, all requests are decided, also those that a busy machine
	// delays.
	private static ConfigurableApplicationContext instance(TestRedis redis, String... source) {
		Stream<String> common = Stream.of("--server.port=0", "--spring.main.banner-mode=off",
				"--ratelimit.redis.host=" + redis.host(), "--ratelimit.redis.port=" + redis.port(),
				"--ratelimit.deadline=20s", "--ratelimit.bans.enabled=true", "--ratelimit.rules.search.paths=/search",
				"--ratelimit.rules.search.key=user", "--ratelimit.rules.search.limit=100/h",
				"--ratelimit.rules.wide=/search 1000/h per user",
				"--management.endpoints.web.exposure.include=ratelimitui,ratelimitlive");
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.SERVLET)
			.run(Stream.concat(common, Stream.of(source)).toArray(String[]::new));
	}

	@Test
	@BrowserTest
	void anEditIsAppliedByBothInstances(TestBrowser browser) {
		WebDriver page = open(browser, "alice");
		edit(page, "limit: 300/h");
		page.findElement(By.id("note")).sendKeys("more for search");
		((JavascriptExecutor) page).executeScript(NOTES);
		page.findElement(By.id("apply")).click();
		await(page, (seen) -> text(seen, "instances").split("applies 1", -1).length == 3);
		assertThat((List<?>) ((JavascriptExecutor) page).executeScript("return window.notes")).as("after the edit")
			.isNotEmpty()
			.noneMatch((note) -> note.toString().contains("version 0"));
		assertThat(page.findElement(By.id("note")).getDomProperty("value")).as("the note of the next edit").isEmpty();
		await(page, (seen) -> text(seen, "versions").contains("“more for search”"));
		await(page, (seen) -> text(seen, "instances-note").equals("2 of 2 apply version 1"));
		await(page, (seen) -> text(seen, "rules").contains("300/h"));
		assertThat(remaining(this.second)).isEqualTo(300);
	}

	@Test
	@BrowserTest
	void afterAnEditThePageDoesNotPauseForFiveSeconds(TestBrowser browser) {
		WebDriver page = open(browser, "alice");
		edit(page, "limit: 300/h");
		((JavascriptExecutor) page).executeScript(ENDLESS_PAUSES);
		await(page, (seen) -> Boolean.TRUE.equals(((JavascriptExecutor) seen).executeScript("return window.paused")));
		page.findElement(By.id("apply")).click();
		await(page, (seen) -> text(seen, "instances").split("applies 1", -1).length == 3);
		await(page, (seen) -> text(seen, "instances-note").equals("2 of 2 apply version 1"));
	}

	@Test
	@BrowserTest
	void requestsOfTheLastHourAreCountedOnceAndTheirPageHasALink(TestBrowser browser) {
		WebDriver page = open(browser, "alice");
		HttpProbe client = new HttpProbe(port(this.first));
		List<Integer> statuses = client.statuses(105, "GET", "/search", "Authorization",
				HttpProbe.basic("alice", "secret"));
		assertThat(statuses).contains(404, 429);
		int allowed = Collections.frequency(statuses, 404);
		page.findElement(By.cssSelector("#rates-table")).findElement(By.xpath("ancestor::details/summary")).click();
		await(page, (seen) -> text(seen, "rates-table").endsWith(allowed + " " + (105 - allowed)));
		WebElement chart = page.findElement(By.id("rates-chart"));
		chart.sendKeys(Keys.END, Keys.ARROW_LEFT);
		assertThat(Integer.parseInt(chart.getDomAttribute("aria-valuenow"))).isEqualTo(118);
		chart.sendKeys(Keys.HOME);
		assertThat(chart.getDomAttribute("aria-valuenow")).isEqualTo("0");
		assertThat(chart.getDomAttribute("aria-valuetext")).contains("allowed/s");
		page.get("about:blank");
		// A step is complete at most 15 seconds after the last request.
		Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> history("").sum() == allowed);
		Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> history("/search").sum() == allowed);
		String link = "#rule=search&q=sea&range=60&tz=UTC";
		page.get("http://alice:secret@localhost:" + port(this.first) + "/actuator/ratelimitui" + link);
		await(page, (seen) -> text(seen, "editor-title").equals("Rule search"));
		await(page, (seen) -> text(seen, "rates-at").endsWith(topLine("")));
		await(page, (seen) -> text(seen, "rule-at").contains(topLine("/search")));
		assertThat(text(page, "rules")).contains("search").doesNotContain("wide");
		assertThat(text(page, "rules-more")).isEqualTo("1 of 2 rules.");
		PageAudit.check(browser, (JavascriptExecutor) page, "rule");
	}

	// Return the allowed requests of the completed ten-second steps, which a newly opened
	// page shows.
	private IntStream history(String path) {
		String body = new HttpProbe(port(this.first))
			.get("/actuator/ratelimitlive/rates" + path, "Authorization", HttpProbe.basic("alice", "secret"))
			.body();
		String counts = body.replaceAll(".*\"allowed\":\\[([^]]*)].*", "$1");
		return Stream.of(counts.split(",")).filter((count) -> !count.isEmpty()).mapToInt(Integer::parseInt);
	}

	// The requests may be in two steps.
	private String topLine(String path) {
		double rate = history(path).max().orElseThrow() / 10.0;
		return "top line " + new DecimalFormat((rate < 10) ? "0.#" : "0", DecimalFormatSymbols.getInstance(Locale.ROOT))
			.format(rate) + "/s";
	}

	@Test
	@BrowserTest
	void aRuleIsFoundOpenedAndClosedByKeys(TestBrowser browser) {
		WebDriver page = open(browser, "alice");
		page.findElement(By.tagName("body")).sendKeys("/");
		assertThat(focused(page)).isEqualTo("search");
		page.switchTo().activeElement().sendKeys("wide", Keys.TAB);
		page.switchTo().activeElement().sendKeys(Keys.TAB);
		assertThat(page.switchTo().activeElement().getText()).isEqualTo("wide");
		page.switchTo().activeElement().sendKeys(Keys.ENTER);
		await(page, (seen) -> text(seen, "editor-title").equals("Rule wide"));
		assertThat(focused(page)).isEqualTo("editor-title");
		assertThat(page.getCurrentUrl()).contains("#").contains("rule=wide").contains("q=wide");
		page.switchTo().activeElement().sendKeys(Keys.ESCAPE);
		assertThat(page.findElement(By.id("editor")).isDisplayed()).isFalse();
		assertThat(page.switchTo().activeElement().getText()).isEqualTo("wide");
		assertThat(page.getCurrentUrl()).doesNotContain("rule=");
	}

	@Test
	@BrowserTest
	void anOutageHasWordsAndABucketNoNumbers(TestBrowser browser) throws Exception {
		try (TestRedis own = TestRedis.start(); ConfigurableApplicationContext alone = instance(own)) {
			WebDriver page = browser.use("http://oscar:secret@localhost:" + port(alone) + "/actuator/ratelimitui");
			await(page, (seen) -> text(seen, "rules").contains("search"));
			watch(page, "user:bob");
			await(page, (seen) -> text(seen, "bucket-table").contains("100"));
			await(page, (seen) -> text(seen, "instances").contains("✓ applies"));
			own.kill();
			await(page, (seen) -> text(seen, "notices").contains("The store 'redis' is unavailable ("));
			await(page, (seen) -> text(seen, "notices").contains("The source of the live rules does not respond: "));
			await(page, (seen) -> text(seen, "bucket").contains("no numbers of user:bob while the store does not"));
			assertThat(text(page, "bucket-left")).isEqualTo("–");
			assertThat(text(page, "bucket-table")).contains("No numbers").doesNotContain("100");
			await(page, (seen) -> text(seen, "instances-note").contains("did not respond")
					|| text(seen, "instances-note").contains("unavailable"));
			assertThat(text(page, "instances")).as("the last state").contains("✓ applies");
			PageAudit.check(browser, (JavascriptExecutor) page, "outage");
			own.restart();
			await(page, (seen) -> text(seen, "store").equals("redis: up"));
			await(page, (seen) -> text(seen, "bucket-left").equals("100"));
		}
	}

	@Test
	@BrowserTest
	void watchedBucketShowsChargesAndRelease(TestBrowser browser) {
		WebDriver page = open(browser, "alice");
		watch(page, "user:<b>bob</b>");
		this.second.getBean(RateLimiter.class).acquireBlocking("search", "user:<b>bob</b>", 40);
		await(page, (seen) -> text(seen, "bucket-left").equals("60"));
		assertThat(page.findElements(By.cssSelector("#bucket b"))).as("markup of a subject").isEmpty();
		page.findElement(By.id("release")).click();
		await(page, (seen) -> text(seen, "bucket-left").equals("100"));
		await(page, (seen) -> seen.findElement(By.id("release")).isEnabled());
		page.findElement(By.id("watch-subject")).sendKeys(Keys.chord(Keys.CONTROL, "a"), "header:x");
		page.findElement(By.id("release")).click();
		await(page, (seen) -> text(seen, "watch-errors").contains("no rule has subjects such as 'header:x'"));
	}

	@Test
	@BrowserTest
	void whyABucketIsNoLongerWatchedStaysVisible(TestBrowser browser) {
		WebDriver page = open(browser, "alice");
		WebElement subject = page.findElement(By.id("watch-subject"));
		subject.clear();
		subject.sendKeys("user:~#9f3ac2d17b604e55", Keys.ENTER);
		await(page, (seen) -> text(seen, "watch-errors").contains("~#9f3ac2d17b604e55"));
		String store = text(page, "store");
		((JavascriptExecutor) page).executeAsyncScript("setTimeout(arguments[0], 2500)");
		assertThat(text(page, "watch-errors")).contains("~#9f3ac2d17b604e55");
		assertThat(text(page, "store")).isEqualTo(store);
	}

	@Test
	@BrowserTest
	void theServersWordsOnAConflictAreShown(TestBrowser browser) {
		WebDriver page = open(browser, "alice");
		edit(page, "limit: 300/h");
		HttpProbe other = new HttpProbe(port(this.second));
		String body = "{\"definition\":\"limit: 400/h\",\"version\":\"0\",\"note\":\"<img src=x onerror=alert(1)>\"}";
		assertThat(other
			.send("POST", "/actuator/ratelimitlive/rules/search", body,
					new String[] { "Authorization", HttpProbe.basic("alice", "secret"), "Content-Type",
							"application/json" })
			.statusCode()).isEqualTo(200);
		page.findElement(By.id("apply")).click();
		await(page, (seen) -> text(seen, "edit-errors").contains("rule 'search' was changed by alice in version 1"));
		await(page, (seen) -> text(seen, "versions").contains("<img src=x onerror=alert(1)>"));
		assertThat(page.findElements(By.tagName("img"))).as("markup of a note").isEmpty();
	}

	@Test
	@BrowserTest
	void goingBackUndoesNoVersionThatTheUserHasNotSeen(TestBrowser browser) {
		WebDriver page = open(browser, "alice");
		write(0, "limit: 300/h");
		write(1, "limit: 400/h");
		await(page, (seen) -> text(seen, "versions").contains("Go back to 2"));
		delay(page, "/versions", "GET");
		write(2, "limit: 500/h");
		await(page, (seen) -> text(seen, "rules").contains("500/h"));
		page.findElement(By.xpath("//button[text()='Go back to 1']")).click();
		await(page, (seen) -> text(seen, "history-errors").contains("the newest version is 3; you read 2"));
		assertThat(new HttpProbe(port(this.first))
			.get("/actuator/ratelimitlive/versions", "Authorization", HttpProbe.basic("alice", "secret"))
			.body()).contains("500/h").doesNotContain("back to 1");
	}

	@Test
	@BrowserTest
	void editDuringPreviewCannotBeApplied(TestBrowser browser) {
		WebDriver page = open(browser, "alice");
		await(page, (seen) -> text(seen, "rules").contains("search"));
		delay(page, "/rules/search", "POST");
		preview(page, "limit: 300/h");
		page.findElement(By.id("definition")).sendKeys("0");
		((JavascriptExecutor) page).executeScript("window.release()");
		await(page, (seen) -> text(seen, "said").equals("The preview is ready."));
		assertThat(page.findElement(By.id("apply")).isEnabled()).isFalse();
	}

	// Delay the responses to such requests until they are released.
	private static void delay(WebDriver page, String path, String method) {
		((JavascriptExecutor) page).executeScript("""
				const real = window.fetch;
				const released = new Promise((release) => { window.release = release; });
				window.fetch = (url, options) => (String(url).includes(arguments[0])
					&& (options && options.method || 'GET') === arguments[1])
					? released.then(() => real(url, options)) : real(url, options);
				""", path, method);
	}

	// Release the requests, and wait until the page has handled the responses.
	private static void release(WebDriver page) {
		((JavascriptExecutor) page).executeAsyncScript("window.release(); setTimeout(arguments[0], 1000)");
	}

	private static void openRule(WebDriver page, String id) {
		page.findElement(By.xpath("//*[@id='rules']//button[text()='" + id + "']")).click();
		await(page, (seen) -> text(seen, "editor-title").equals("Rule " + id));
	}

	private void write(long version, String definition) {
		String body = "{\"definition\":\"" + definition + "\",\"version\":\"" + version + "\"}";
		assertThat(new HttpProbe(port(this.first))
			.send("POST", "/actuator/ratelimitlive/rules/search", body,
					new String[] { "Content-Type", "application/json", "Authorization",
							HttpProbe.basic("alice", "secret") })
			.statusCode()).isEqualTo(200);
	}

	@Test
	@BrowserTest
	void eachNoticeEndsTheSwitchThatItIsAbout(TestBrowser browser) {
		WebDriver page = open(browser, "oscar");
		turnOff(this.first, Optional.of("search"), false);
		turnOff(this.first, Optional.of("search"), true);
		await(page, (seen) -> text(seen, "notices").contains("on all instances"));
		await(page, (seen) -> text(seen, "notices").contains("alone"));
		WebElement end = button(page, "on all instances");
		((JavascriptExecutor) page).executeScript("arguments[0].focus()", end);
		String before = text(page, "notices");
		await(page, (seen) -> !text(seen, "notices").equals(before));
		assertThat(page.switchTo().activeElement()).as("the focus while the seconds pass").isEqualTo(end);
		end.click();
		await(page, (seen) -> !text(seen, "notices").contains("on all instances"));
		assertThat(text(page, "notices")).contains("alone");
		// The button is gone.
		await(page, (seen) -> focused(seen).equals("notices"));
		Awaitility.await().until(() -> this.second.getBean(Switches.class).active().isEmpty());
		turnOff(this.first, Optional.empty(), false);
		await(page, (seen) -> text(seen, "notices").contains("ALL RULES"));
		// The switch ends before the request arrives, and the button is gone.
		delay(page, "/switches/", "DELETE");
		button(page, "alone").click();
		this.first.getBean(Switches.class).end(Optional.of("search"), true);
		await(page, (seen) -> !text(seen, "notices").contains("alone"));
		assertThat(focused(page)).isNotEqualTo("notices");
		release(page);
		await(page, (seen) -> focused(seen).equals("notices"));
		button(page, "ALL RULES").click();
		await(page, (seen) -> text(seen, "notices").isEmpty());
	}

	@Test
	@BrowserTest
	void theSwitchOfAnInstanceEndsDuringAnOutageAndThatOfAllSaysWhyNot(TestBrowser browser) throws Exception {
		try (TestRedis own = TestRedis.start(); ConfigurableApplicationContext alone = instance(own)) {
			turnOff(alone, Optional.empty(), false);
			turnOff(alone, Optional.of("search"), true);
			WebDriver page = browser.use("http://oscar:secret@localhost:" + port(alone) + "/actuator/ratelimitui");
			await(page, (seen) -> text(seen, "notices").contains("ALL RULES switched off by oscar on all instances"));
			own.kill();
			await(page, (seen) -> text(seen, "notices").contains("The source of the live rules does not respond"));
			button(page, "Rule 'search' switched off by oscar on instance ").click();
			await(page, (seen) -> !text(seen, "notices").contains("Rule 'search'"));
			button(page, "ALL RULES").click();
			await(page, (seen) -> text(seen, "notice-errors").contains("the change cannot reach other instances"));
			PageAudit.check(browser, (JavascriptExecutor) page, "switch-error");
		}
	}

	private static WebElement button(WebDriver page, String notice) {
		return page.findElement(By.xpath("//*[@id='notices']/p[contains(., \"" + notice + "\")]/button"));
	}

	// The duration is short, so that the page shows it in seconds.
	private static void turnOff(ConfigurableApplicationContext instance, Optional<String> rule, boolean instanceOnly) {
		instance.getBean(Switches.class)
			.set(new SwitchRequest(rule, RuleMode.OFF, Duration.ofSeconds(80), "oscar", "", instanceOnly));
	}

	@Test
	@BrowserTest
	void aRuleThatArrivesLateIsNotShownUnderAnother(TestBrowser browser) {
		write(0, "limit: 300/h");
		WebDriver page = open(browser, "alice");
		delay(page, "/rules/search", "GET");
		openRule(page, "search");
		await(page, (seen) -> seen.findElement(By.id("editor")).isDisplayed());
		assertThat(page.findElement(By.id("definition")).isEnabled()).as("a text that is about to be replaced")
			.isFalse();
		openRule(page, "wide");
		await(page, (seen) -> seen.findElement(By.id("definition")).isEnabled());
		release(page);
		assertThat(text(page, "editor-title")).isEqualTo("Rule wide");
		assertThat(page.findElement(By.id("definition")).getDomProperty("value")).isEmpty();
	}

	@Test
	@BrowserTest
	void aRuleThatIsOpenedAgainMustBePreviewedAgain(TestBrowser browser) {
		WebDriver page = open(browser, "alice");
		delay(page, "/rules/search", "GET");
		openRule(page, "search");
		((JavascriptExecutor) page).executeScript("""
				document.getElementById('definition').value = 'limit: 300/h';
				document.getElementById('edit').requestSubmit();
				""");
		await(page, (seen) -> text(seen, "said").equals("The preview is ready."));
		release(page);
		await(page, (seen) -> seen.findElement(By.id("definition")).isEnabled());
		assertThat(page.findElement(By.id("definition")).getDomProperty("value")).isEmpty();
		assertThat(page.findElement(By.id("apply")).isEnabled()).isFalse();
		assertThat(page.findElement(By.id("try")).isEnabled()).isFalse();
	}

	@Test
	@BrowserTest
	void aLateErrorIsNotShownUnderAnotherRule(TestBrowser browser) {
		WebDriver page = open(browser, "alice");
		edit(page, "limit: 300/h");
		write(0, "limit: 400/h");
		delay(page, "/rules/search", "POST");
		page.findElement(By.id("apply")).click();
		openRule(page, "wide");
		await(page, (seen) -> seen.findElement(By.id("definition")).isEnabled());
		page.findElement(By.id("note")).sendKeys("for wide");
		release(page);
		await(page, (seen) -> text(seen, "notice-errors").startsWith("Rule 'search': rule 'search' was changed by"));
		assertThat(text(page, "edit-errors")).isEmpty();
		assertThat(page.findElement(By.id("note")).getDomProperty("value")).isEqualTo("for wide");
	}

	@Test
	@BrowserTest
	void aLateChangeLeavesWhatIsWrittenOfAnotherRule(TestBrowser browser) {
		WebDriver page = open(browser, "alice");
		edit(page, "limit: 300/h");
		page.findElement(By.id("note")).sendKeys("for search");
		delay(page, "/rules/search", "POST");
		page.findElement(By.id("apply")).click();
		openRule(page, "wide");
		await(page, (seen) -> seen.findElement(By.id("definition")).isEnabled());
		page.findElement(By.id("note")).sendKeys(Keys.chord(Keys.CONTROL, "a"), "for wide");
		release(page);
		await(page, (seen) -> text(seen, "rules").contains("300/h"));
		assertThat(page.findElement(By.id("note")).getDomProperty("value")).isEqualTo("for wide");
		assertThat(text(page, "editor-title")).isEqualTo("Rule wide");
		await(page, (seen) -> seen.findElement(By.id("preview")).isEnabled());
	}

	@Test
	@BrowserTest
	void aSecondClickSendsNoSecondRequest(TestBrowser browser) {
		WebDriver page = open(browser, "alice");
		write(0, "limit: 300/h");
		preview(page, "limit: 400/h");
		await(page, (seen) -> seen.findElement(By.id("apply")).isEnabled());
		assertThat(focused(page)).isEqualTo("apply");
		assertThat(requestsOfTwoClicks(page, "#preview")).isEqualTo(1);
		await(page, (seen) -> seen.findElement(By.id("apply")).isEnabled());
		assertThat(requestsOfTwoClicks(page, "#apply")).isEqualTo(1);
		await(page, (seen) -> text(seen, "versions").contains("Go back to 2"));
		await(page, (seen) -> seen.findElement(By.id("preview")).isEnabled());
		assertThat(requestsOfTwoClicks(page, "#versions tr:nth-child(2) button")).isEqualTo(1);
		await(page, (seen) -> text(seen, "versions").contains("Go back to 3"));
		assertThat(requestsOfTwoClicks(page, "#switch-on")).isEqualTo(1);
		await(page, (seen) -> text(seen, "notices").contains("Rule 'search' only counted by alice"));
		assertThat(requestsOfTwoClicks(page, "#notices button")).isEqualTo(1);
		await(page, (seen) -> text(seen, "notices").isEmpty());
		openRule(page, "wide");
		edit(page, "limit: 500/h");
		assertThat(requestsOfTwoClicks(page, "#try")).isEqualTo(1);
		await(page, (seen) -> seen.findElement(By.id("candidate")).isDisplayed());
		assertThat(requestsOfTwoClicks(page, "#discard")).isEqualTo(1);
		await(page, (seen) -> !seen.findElement(By.id("candidate")).isDisplayed());
		openRule(page, "search");
		await(page, (seen) -> seen.findElement(By.id("remove")).isEnabled());
		assertThat(requestsOfTwoClicks(page, "#remove")).isEqualTo(1);
		await(page, (seen) -> text(seen, "rules").contains("100/h"));
	}

	private static long requestsOfTwoClicks(WebDriver page, String selector) {
		return ((Number) ((JavascriptExecutor) page).executeScript("""
				const real = window.fetch, button = document.querySelector(arguments[0]);
				let sent = 0;
				window.fetch = (url, options) => {
					sent += (options && options.method || 'GET') === 'GET' ? 0 : 1;
					return real(url, options);
				};
				button.click();
				button.click();
				window.fetch = real;
				return sent;
				""", selector)).longValue();
	}

	@Test
	void instancesWithEqualRulesHaveTheSameEdition() {
		String edition = page(this.first, "").replaceAll(".*\"edition\":\"([^\"]*)\".*", "$1");
		assertThat(page(this.first, "/" + edition)).doesNotContain("\"rules\":");
		assertThat(page(this.second, "/" + edition)).doesNotContain("\"rules\":");
		write(0, "limit: 300/h");
		Awaitility.await().until(() -> page(this.second, "/" + edition).contains("\"limits\":\"300/h\""));
	}

	private static String page(ConfigurableApplicationContext instance, String edition) {
		return new HttpProbe(port(instance))
			.get("/actuator/ratelimitlive/page" + edition, "Authorization", HttpProbe.basic("alice", "secret"))
			.body();
	}

	@Test
	@BrowserTest
	void newRulesTakeNoFocus(TestBrowser browser) {
		WebDriver page = open(browser, "alice");
		WebElement wide = page.findElement(By.xpath("//*[@id='rules']//button[text()='wide']"));
		WebElement search = page.findElement(By.xpath("//*[@id='rules']//button[text()='search']"));
		((JavascriptExecutor) page).executeScript("arguments[0].focus()", search);
		write(0, "limit: 300/h");
		await(page, (seen) -> text(seen, "rules").contains("300/h"));
		assertThat(page.switchTo().activeElement()).isEqualTo(search);
		wide.click();
		await(page, (seen) -> text(seen, "editor-title").equals("Rule wide"));
	}

	@Test
	@BrowserTest
	void instancesWithEqualFilesHaveTheSameRules(TestBrowser browser, TestRedis redis, @TempDir Path directory)
			throws IOException {
		Path one = rules(directory.resolve("one.yaml"), "300/h", Instant.parse("2026-01-01T00:00:00Z"));
		Path other = rules(directory.resolve("other.yaml"), "300/h", Instant.parse("2026-02-01T00:00:00Z"));
		try (ConfigurableApplicationContext left = ofFile(redis, one);
				ConfigurableApplicationContext right = ofFile(redis, other)) {
			WebDriver page = browser.use("http://alice:secret@localhost:" + port(left) + "/actuator/ratelimitui");
			await(page, (seen) -> text(seen, "instances-note").equals("2 of 2 apply the newest document"));
			assertThat(text(page, "instances")).doesNotContain("not yet");
			rules(other, "400/h", Instant.parse("2026-03-01T00:00:00Z"));
			await(page, (seen) -> text(seen, "instances-note").equals("1 of 2 apply the newest document"));
			rules(one, "400/h", Instant.parse("2026-02-15T00:00:00Z"));
			await(page, (seen) -> text(seen, "instances-note").equals("2 of 2 apply the newest document"));
			assertThat(right.isRunning()).isTrue();
		}
	}

	private static ConfigurableApplicationContext ofFile(TestRedis redis, Path file) {
		return instance(redis, "--spring.application.name=files", "--ratelimit.live.source=file",
				"--ratelimit.live.file=" + file);
	}

	private static Path rules(Path file, String limit, Instant modified) throws IOException {
		Files.writeString(file, "rules: {search: {limit: " + limit + "}}");
		return Files.setLastModifiedTime(file, FileTime.from(modified));
	}

	@Test
	@BrowserTest
	void aSwitchIsLoudAndEndsAndABanIsLifted(TestBrowser browser) {
		WebDriver page = open(browser, "oscar");
		await(page, (seen) -> !seen.findElements(By.cssSelector("#rules button")).isEmpty());
		page.findElement(By.cssSelector("#rules button")).click();
		await(page, (seen) -> seen.findElement(By.id("switch-on")).isDisplayed());
		assertThat(page.findElement(By.id("preview")).isEnabled()).as("oscar may not edit").isFalse();
		select(page, "switch-what", "all");
		page.findElement(By.id("switch-note")).sendKeys("partner called");
		page.findElement(By.id("switch-on")).click();
		await(page, (seen) -> text(seen, "notices").contains("ALL RULES only counted by oscar"));
		await(page, (seen) -> seen.findElement(By.id("switch-note")).getDomProperty("value").isEmpty());
		PageAudit.check(browser, (JavascriptExecutor) page, "switch");
		page.findElement(By.cssSelector("#notices button")).click();
		await(page, (seen) -> text(seen, "notices").isEmpty());
		assertThat(text(page, "bans")).contains("No client is banned");
		this.second.getBean(Bans.class)
			.impose("search", "user:<b>/ann", BanKind.MARK, Duration.ofHours(1), "bob")
			.join();
		await(page, (seen) -> text(seen, "bans").contains("search user:<b>/ann mark"));
		page.findElement(By.cssSelector("#bans button")).click();
		await(page, (seen) -> text(seen, "bans").contains("No client is banned"));
		Awaitility.await().until(() -> this.second.getBean(Bans.class).active().isEmpty());
		Bans bans = this.second.getBean(Bans.class);
		List.of("user:ann", "user:bert")
			.forEach((user) -> bans.impose("search", user, BanKind.BAN, Duration.ofHours(1), "bob").join());
		assertThat(page.findElement(By.id("lift-all")).isDisplayed()).as("no rule is selected").isFalse();
		select(page, "ban-rule", "search");
		await(page, (seen) -> text(seen, "bans").contains("user:ann") && text(seen, "bans").contains("user:bert"));
		await(page, (seen) -> seen.findElement(By.id("lift-all")).isDisplayed());
		page.findElement(By.id("lift-all")).click();
		await(page, (seen) -> text(seen, "bans").contains("No client is banned"));
		Awaitility.await().until(() -> bans.active().isEmpty());
	}

	@ParameterizedTest
	@ValueSource(strings = { "user:x/../../../../../api/accounts/7", "user:x/../../../switches/search", "user:..",
			"user:a?b#c%2e%2e/" })
	@BrowserTest
	void liftingABanSendsNoRequestToAPathThatASubjectChooses(String subject, TestBrowser browser) {
		WebDriver page = open(browser, "oscar");
		this.second.getBean(Bans.class).impose("search", subject, BanKind.BAN, Duration.ofHours(1), "").join();
		await(page, (seen) -> text(seen, "bans").contains("search user:"));
		page.findElement(By.cssSelector("#bans button")).click();
		await(page, (seen) -> text(seen, "bans").contains("No client is banned"));
		Awaitility.await().until(() -> this.second.getBean(Bans.class).active().isEmpty());
		assertThat(this.first.getBean(Accounts.class).deleted).isEmpty();
	}

	@Test
	@BrowserTest
	void aCandidateIsTriedComparedAndPromoted(TestBrowser browser) {
		WebDriver page = open(browser, "alice");
		edit(page, "limit: 2/h");
		page.findElement(By.id("note")).sendKeys("fewer for search");
		page.findElement(By.id("try")).click();
		await(page, (seen) -> seen.findElement(By.id("candidate")).isDisplayed());
		await(page, (seen) -> seen.findElement(By.id("note")).getDomProperty("value").isEmpty());
		await(page, (seen) -> focused(seen).equals("candidate-title"));
		await(page, (seen) -> text(seen, "candidate-changes").equals("search.limit: 100/h → 2/h"));
		awaitCandidate(this.first);
		awaitCandidate(this.second);
		for (ConfigurableApplicationContext instance : List.of(this.first, this.second)) {
			for (int i = 0; i < 3; i++) {
				instance.getBean(RateLimiter.class).acquireBlocking("search", "user:bob");
			}
		}
		await(page, (seen) -> text(seen, "candidate-table").contains("search 2 4 0 0"));
		assertThat(text(page, "candidate-note")).contains("by alice “fewer for search” beside version 0", "began full");
		watch(page, "user:bob");
		PageAudit.check(browser, (JavascriptExecutor) page, "candidate");
		page.findElement(By.id("promote")).sendKeys(Keys.ENTER);
		await(page, (seen) -> !seen.findElement(By.id("candidate")).isDisplayed());
		await(page, (seen) -> text(seen, "rules").contains("2/h"));
		assertThat(focused(page)).isEqualTo("rules-title");
		assertThat(page.findElement(By.id("editor")).isDisplayed()).as("what was edited is old").isFalse();
		// The page reads the table of versions again after the new version is active.
		await(page, (seen) -> text(seen, "versions").contains("search.limit: 100/h → 2/h “candidate 1”"));
	}

	private static String focused(WebDriver page) {
		return String.valueOf(page.switchTo().activeElement().getDomAttribute("id"));
	}

	private static void awaitCandidate(ConfigurableApplicationContext instance) {
		RateLimitEngine engine = instance.getBean(RateLimitEngine.class);
		Awaitility.await().until(() -> engine.trial(engine.editions().current()) != null);
	}

	@Test
	@BrowserTest
	void inAFrameNothingIsShown(TestBrowser browser) {
		WebDriver page = open(browser, "alice");
		page.get("about:blank");
		page.get("http://localhost:" + port(this.first) + "/framed.html");
		List<WebElement> frames = page.findElements(By.tagName("iframe"));
		assertThat(frames).hasSize(1);
		page.switchTo().frame(frames.get(0));
		assertThat(page.findElement(By.tagName("h1")).isDisplayed()).isFalse();
		assertThat(page.findElement(By.tagName("body")).getText()).isEmpty();
		page.switchTo().defaultContent();
	}

	private WebDriver open(TestBrowser browser, String user) {
		WebDriver page = browser
			.use("http://" + user + ":secret@localhost:" + port(this.first) + "/actuator/ratelimitui");
		await(page, (seen) -> text(seen, "rules").contains("search"));
		return page;
	}

	private static void edit(WebDriver page, String definition) {
		preview(page, definition);
		await(page, (seen) -> text(seen, "diff-table").contains(definition.substring("limit: ".length())));
		await(page, (seen) -> seen.findElement(By.id("apply")).isEnabled());
	}

	private static void preview(WebDriver page, String definition) {
		page.findElement(By.cssSelector("#rules button")).click();
		await(page, (seen) -> seen.findElement(By.id("definition")).isDisplayed());
		WebElement text = page.findElement(By.id("definition"));
		await(page, (seen) -> text.isEnabled());
		text.clear();
		text.sendKeys(definition);
		page.findElement(By.id("preview")).click();
	}

	private static void watch(WebDriver page, String subject) {
		select(page, "watch-rule", "search");
		page.findElement(By.id("watch-subject")).sendKeys(subject);
		page.findElement(By.cssSelector("#watch button")).click();
		await(page, (seen) -> text(seen, "bucket").contains("of 100 left for " + subject));
		page.findElement(By.cssSelector("#bucket summary")).click();
	}

	// The page may replace a row while the test reads it.
	private static void await(WebDriver page, Predicate<WebDriver> state) {
		Awaitility.await()
			.atMost(TIMEOUT)
			.ignoreException(StaleElementReferenceException.class)
			.until(() -> state.test(page));
	}

	private static void select(WebDriver page, String id, String value) {
		page.findElement(By.cssSelector("#" + id + " option[value='" + value + "']")).click();
	}

	private static String text(WebDriver page, String id) {
		return page.findElement(By.id(id)).getText();
	}

	private static long remaining(ConfigurableApplicationContext instance) {
		return instance.getBean(RateLimiter.class)
			.peek("search", "user:carol")
			.blockOptional()
			.orElseThrow()
			.verdicts()
			.get(0)
			.remaining();
	}

	private static int port(ConfigurableApplicationContext instance) {
		return instance.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		UserDetailsService users() {
			return LiveEndpointApplication::user;
		}

		@Bean
		SecurityFilterChain security(HttpSecurity http) throws Exception {
			http.csrf(AbstractHttpConfigurer::disable).httpBasic(Customizer.withDefaults());
			http.headers((headers) -> headers.frameOptions((frames) -> frames.disable()));
			return http
				.authorizeHttpRequests(
						(requests) -> requests.requestMatchers("/framed.html").permitAll().anyRequest().authenticated())
				.build();
		}

		@Bean
		FramedPage framedPage() {
			return new FramedPage();
		}

		@Bean
		Accounts accounts() {
			return new Accounts();
		}

	}

	/** An endpoint outside this library that a wrong request would damage. */
	@RestController
	static class Accounts {

		final List<String> deleted = new CopyOnWriteArrayList<>();

		@DeleteMapping("/api/accounts/{id}")
		void delete(@PathVariable("id") String id) {
			this.deleted.add(id);
		}

	}

	@RestController
	static class FramedPage {

		@GetMapping(path = "/framed.html", produces = "text/html")
		String page() {
			return "<!doctype html><iframe src=\"/actuator/ratelimitui\"></iframe>";
		}

	}

}
