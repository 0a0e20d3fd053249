package dev.ratelimit.docs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.actuate.LiveEndpointApplication;
import dev.ratelimit.http.HttpProbe;
import dev.ratelimit.http.Reply;
import dev.ratelimit.test.CurlCommand;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Causes the problems of the runbook on a server, and fixes them with only the commands
 * of the page.
 */
@Tag("long")
class RunbookTests {

	private static final Pattern FENCE = Pattern.compile("(?ms)^```sh\\n(.*?)^```$");

	private static final Pattern INLINE = Pattern.compile("`(curl [^`]+)`");

	private static final String BOB = HttpProbe.basic("bob", "secret");

	private ConfigurableApplicationContext context;

	private HttpProbe probe;

	RunbookTests() {
		this.context = new SpringApplicationBuilder(LiveEndpointApplication.class).web(WebApplicationType.SERVLET)
			.properties("server.port=0", "spring.main.banner-mode=off", "management.health.redis.enabled=false",
					"management.endpoints.web.exposure.include=*",
					"management.endpoint.health.show-details=when-authorized", "ratelimit.telemetry.top=true",
					"ratelimit.bans.enabled=true", "ratelimit.rules.search=/api/search 3/h per user",
					"ratelimit.rules.login=POST /login 5/min per ip", "ratelimit.rules.routes.paths=/api/other",
					"ratelimit.rules.routes.key=user,route", "ratelimit.rules.routes.limit=1/h",
					"ratelimit.rules.json-login.limit=5/15min", "ratelimit.rules.json-login.programmatic=true",
					"ratelimit.rules.json-login.key=global")
			.run();
		this.probe = new HttpProbe(
				this.context.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
	}

	@BeforeEach
	void exhaustTheLimitOfACustomer() {
		assertThat(IntStream.range(0, 4).map((i) -> search()).boxed()).containsExactly(404, 404, 404, 429);
	}

	@AfterEach
	void stop() {
		this.context.close();
	}

	@Test
	void oneCustomerIsReleasedByOneCommand() {
		assertThat(run(commands("One customer is locked out").get(0)).body()).contains("\"outcome\":\"rejected\"");
		assertThat(run(commands("One customer is locked out").get(1)).body())
			.isEqualTo("{\"subject\":\"user:bob\",\"reset\":[\"search\"],\"notReset\":[\"routes\"],\"lifted\":[]}");
		assertThat(search()).isEqualTo(404);
	}

	@ParameterizedTest
	@ValueSource(strings = { "user:auth0%7c123", "user:bob+1@example.com", "user:a%20b" })
	void subjectsAreReleasedAsTheyAreShown(String subject) {
		assertThat(run(commands("One customer is locked out").get(1).replace("user:bob", subject)).body())
			.startsWith("{\"subject\":\"" + subject + "\",\"reset\":[\"search\"]");
	}

	@Test
	void aSubjectOfAKeyWithFurtherPartsIsReleasedAsAWhole() {
		List<String> commands = commands("One customer is locked out");
		assertThat(other()).isEqualTo(404);
		assertThat(other()).isEqualTo(429);
		run(commands.get(1));
		assertThat(other()).isEqualTo(429);
		String whole = commands.stream().filter((command) -> command.contains("|route")).findFirst().orElseThrow();
		assertThat(run(whole).body()).contains("\"reset\":[\"routes\"]");
		assertThat(other()).isEqualTo(404);
	}

	private int other() {
		return this.probe.send("GET", "/api/other", "Authorization", BOB).statusCode();
	}

	@Test
	void aRuleThatRejectsTooMuchIsSwitchedAndBack() {
		List<String> commands = commands("Clients get 429");
		assertThat(search()).isEqualTo(429);
		// Rejections are collected for some seconds.
		Awaitility.await()
			.atMost(Duration.ofMinutes(1))
			.untilAsserted(() -> assertThat(run(commands.get(0)).body()).contains("{\"search\":[{\"subject\":\"user:"));
		assertThat(run(commands.get(1)).body()).contains("\"subject\":\"user:bob\"");
		assertThat(run(commands.get(2)).statusCode()).isEqualTo(200);
		assertThat(search()).isEqualTo(404);
		assertThat(run(commands.get(4)).statusCode()).isEqualTo(200);
		assertThat(search()).isEqualTo(429);
		assertThat(run(commands.get(3)).statusCode()).isEqualTo(200);
		assertThat(search()).isEqualTo(404);
		assertThat(run(commands.get(5)).statusCode()).isEqualTo(200);
		assertThat(search()).isEqualTo(429);
	}

	@Test
	void aBanIsFoundAndLifted() {
		send("curl -u alice -H 'Content-Type: application/json' -d '{\"duration\":\"1h\"}'"
				+ " \"$APP/actuator/ratelimitlive/bans/search/user:bob\"");
		assertThat(search()).isEqualTo(403);
		List<String> commands = commands("Clients get 403");
		assertThat(run(commands.get(0)).body()).contains("user:bob");
		assertThat(run(commands.get(1)).body()).contains("ban");
		run(commands("One customer is locked out").get(1));
		assertThat(search()).isEqualTo(404);
	}

	@Test
	void aBanOfAnAddressIsFoundAndLifted() {
		send("curl -u alice -H 'Content-Type: application/json' -d '{\"duration\":\"1h\"}'"
				+ " \"$APP/actuator/ratelimitlive/bans/login/ip:203.0.113.7\"");
		List<String> commands = commands("A ban hits many users");
		assertThat(run(commands.get(0)).body()).contains("\"subject\":\"ip:203.0.113.7\"");
		run(commands.get(1));
		assertThat(run(commands.get(0)).body()).contains("\"bans\":[]");
	}

	@Test
	void aClientAndANetworkAreBlockedAndAllowedAgain() {
		List<String> commands = commands("Block a client");
		run(commands.get(0));
		assertThat(explain("/login", "POST")).contains("\"banned\"");
		assertThat(run(commands.get(1)).body()).contains("\"version\":0");
		run(commands.get(2).replace("\"version\":\"4\"", "\"version\":\"0\""));
		Awaitility.await()
			.atMost(Duration.ofMinutes(1))
			.untilAsserted(() -> assertThat(explain("/anything", "GET")).contains("\"deny_listed\""));
		List<String> switches = commands("Clients get 429");
		run(switches.get(3));
		assertThat(explain("/anything", "GET")).as("while all rules are switched").contains("\"deny_listed\"");
		run(switches.get(5));
		run(commands.get(3));
		run(commands.get(4).replace("version=5", "version=1"));
		Awaitility.await()
			.atMost(Duration.ofMinutes(1))
			.untilAsserted(() -> assertThat(explain("/anything", "GET")).doesNotContain("deny_listed"));
		assertThat(explain("/login", "POST")).doesNotContain("\"banned\"");
	}

	private String explain(String path, String method) {
		return run("curl -u alice \"$APP/actuator/ratelimit/explain?method=" + method + "&path=" + path
				+ "&ip=203.0.113.7\"")
			.body();
	}

	@Test
	void aFormerVersionOfTheLiveRulesIsRestored() {
		edit("limit: 50/h", 0);
		edit("limit: 1/h", 1);
		List<String> commands = commands("A change of live rules was wrong");
		assertThat(run(commands.get(0)).body()).contains("\"version\":2");
		assertThat(run(commands.get(1)).body()).contains("search");
		assertThat(search()).isEqualTo(429);
		run(commands.get(2));
		Awaitility.await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> assertThat(search()).isEqualTo(404));
	}

	private void edit(String definition, int version) {
		run("curl -u alice -H 'Content-Type: application/json' -d '{\"definition\":\"" + definition
				+ "\",\"version\":\"" + version + "\"}' \"$APP/actuator/ratelimitlive/rules/search\"");
	}

	@Test
	void everyCommandOfTheRunbookIsAccepted() {
		List<String> commands = Stream
			.of("Clients get 429", "One customer is locked out", "Clients get 403", "Clients get 503",
					"Responses are slow", "Limits do not work", "Redis is down", "Trouble after a deployment")
			.flatMap((section) -> commands(section).stream())
			.toList();
		assertThat(commands).hasSizeGreaterThan(12)
			.allSatisfy((command) -> assertThat(send(command).statusCode()).as(command).isIn(200, 204));
	}

	@Test
	void commandsOfTheOperationsPageAreAccepted() {
		edit("limit: 50/h", 0);
		edit("limit: 40/h", 1);
		edit("limit: 30/h", 2);
		List<String> commands = commands(MarkdownPage.of("docs/operations.md"), "Change limits now");
		assertThat(commands).hasSizeGreaterThan(8)
			.allSatisfy((command) -> assertThat(send(command).statusCode()).as(command).isEqualTo(200));
	}

	private int search() {
		return this.probe.send("GET", "/api/search", "Authorization", BOB).statusCode();
	}

	private static List<String> commands(String section) {
		return commands(MarkdownPage.of("docs/runbook.md"), section);
	}

	private static List<String> commands(MarkdownPage page, String section) {
		List<String> commands = new ArrayList<>();
		String text = page.section(section);
		Matcher fence = FENCE.matcher(text);
		while (fence.find()) {
			fence.group(1).lines().filter((line) -> line.startsWith("curl ")).forEach(commands::add);
		}
		Matcher inline = INLINE.matcher(text);
		while (inline.find()) {
			commands.add(inline.group(1));
		}
		return commands;
	}

	private Reply run(String command) {
		Reply reply = send(command);
		assertThat(reply.statusCode()).as(command).isEqualTo(200);
		return reply;
	}

	private Reply send(String text) {
		CurlCommand command = CurlCommand.parse(text);
		List<String> headers = new ArrayList<>(command.headers());
		if (!command.user().isEmpty()) {
			headers.addAll(List.of("Authorization", HttpProbe.basic(command.user(), "secret")));
		}
		return this.probe.send(command.method(), command.path(), command.body(), headers.toArray(String[]::new));
	}

}
