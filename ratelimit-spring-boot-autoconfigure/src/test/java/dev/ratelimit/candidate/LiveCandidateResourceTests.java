package dev.ratelimit.candidate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.ratelimit.actuate.LiveEndpointApplication;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.http.HttpProbe;
import dev.ratelimit.http.Reply;
import dev.ratelimit.live.EffectiveRules;
import dev.ratelimit.live.RuleDocument;
import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the candidate over HTTP: requests that match the active rules and those of the
 * candidate.
 */
@Tag("long")
@RedisTest
class LiveCandidateResourceTests {

	private static final String TIGHT = "{\"rule\":\"search\",\"definition\":\"limit: 2/d\",\"version\":\"0\"}";

	private ConfigurableApplicationContext context;

	@BeforeEach
	void start(TestRedis redis) {
		this.context = new SpringApplicationBuilder(Application.class).web(WebApplicationType.SERVLET)
			.run("--server.port=0", "--spring.main.banner-mode=off", "--spring.application.name=orders",
					"--ratelimit.redis.host=" + redis.host(), "--ratelimit.redis.port=" + redis.port(),
					"--ratelimit.live.source=redis", "--ratelimit.deadline=5s",
					"--ratelimit.rules.search.paths=/search", "--ratelimit.rules.search.key=ip",
					"--ratelimit.rules.search.limit=100/d", "--ratelimit.rules.login.paths=/login",
					"--ratelimit.rules.login.limit=100/d", "--ratelimit.rules.login.key=ip",
					"--ratelimit.rules.login.locked=true", "--ratelimit.namespaces.search-team.prefix=search",
					"--ratelimit.namespaces.search-team.authorities=TEAM_SEARCH",
					"--ratelimit.namespaces.identity.prefix=login",
					"--ratelimit.namespaces.identity.authorities=TEAM_IDENTITY",
					"--management.endpoints.web.exposure.include=ratelimitlive");
	}

	@AfterEach
	void stop() {
		this.context.close();
	}

	@Test
	void aCandidateIsStartedComparedAndPromoted() {
		assertThat(get().body()).isEqualTo("{\"version\":0}");
		assertThat(post("", TIGHT).body()).isEqualTo("{\"version\":1,\"changes\":[{\"rule\":\"search\",\"property\":"
				+ "\"limit\",\"from\":\"100/d\",\"to\":\"2/d\"}],\"warnings\":[]}");
		awaitCandidate();
		request("/search", 5);
		request("/login", 1);
		awaitBody("\"rules\":{\"search\":{\"same\":2,\"wouldReject\":3,\"wouldAllow\":0,\"skipped\":0}}");
		assertThat(get().body())
			.startsWith("{\"version\":1,\"base\":0,\"by\":\"alice\",\"note\":\"\",\"settled\":false,"
					+ "\"changes\":[{\"rule\":\"search\",\"property\":\"limit\",\"from\":\"100/d\",\"to\":\"2/d\"}],");
		assertThat(meters().get("ratelimit.candidate.requests")
			.tags("rule", "search", "difference", "would_reject")
			.functionCounter()
			.count()).isEqualTo(3);
		assertThat(post("/promote", "{\"candidate\":\"1\",\"version\":\"0\",\"dryRun\":\"true\"}").body())
			.startsWith("{\"changes\":[");
		assertThat(post("/promote", "{\"candidate\":\"1\",\"version\":\"0\"}").body())
			.startsWith("{\"version\":1,\"activates\":");
		Awaitility.await().until(() -> version() == 1);
		awaitBody("{\"version\":0}");
		Awaitility.await().until(() -> meters().find("ratelimit.candidate.requests").meters().isEmpty());
		assertThat(post("/promote", "{\"candidate\":\"1\",\"version\":\"1\"}").statusCode()).isEqualTo(404);
		assertThat(this.context.getBean(LiveEndpointApplication.Audit.class).events)
			.extracting((event) -> event.getData().get("what"))
			.containsExactly("started candidate 1", "version 1");
	}

	@Test
	void requestsMatchTheCandidatesPathsToo() {
		post("", "{\"rule\":\"search\",\"version\":\"0\",\"definition\":\"{paths: [/find], limit: 1/d}\"}");
		awaitCandidate();
		request("/search", 2);
		request("/find", 3);
		awaitBody("\"search\":{\"same\":3,\"wouldReject\":2,\"wouldAllow\":0,\"skipped\":0}");
	}

	@Test
	void aDocumentMayAddAndChangeRules() {
		String document = "{rules: {fresh: {paths: [/search], key: ip, limit: 1/d}, search: {limit: 9/d}}}";
		assertThat(post("", "{\"definition\":\"" + document + "\",\"version\":\"0\"}").statusCode()).isEqualTo(200);
		awaitCandidate();
		request("/search", 2);
		awaitBody("\"fresh\":{\"same\":1,\"wouldReject\":1,\"wouldAllow\":0,\"skipped\":0}");
		assertThat(send("DELETE", "alice", "/candidate?candidate=1", "").body()).contains("\"ended\":true");
		awaitBody("{\"version\":0}");
		assertThat(send("DELETE", "alice", "/candidate?candidate=1", "").statusCode()).isEqualTo(404);
	}

	@Test
	void aTeamComparesItsOwnRulesOnly() {
		assertThat(send("DELETE", "sam", "/candidate?candidate=1", "").statusCode()).as("there is none").isEqualTo(404);
		assertThat(send("POST", "ida", "/candidate", TIGHT).statusCode()).isEqualTo(403);
		assertThat(send("POST", "eve", "/candidate", TIGHT).statusCode()).isEqualTo(403);
		assertThat(send("POST", "sam", "/candidate", TIGHT).statusCode()).isEqualTo(200);
		awaitCandidate();
		for (String user : List.of("ida", "eve")) {
			assertThat(send("DELETE", user, "/candidate?candidate=1", "").statusCode()).isEqualTo(403);
			assertThat(send("POST", user, "/candidate/promote", "{\"candidate\":\"1\",\"version\":\"0\"}").statusCode())
				.isEqualTo(403);
			assertThat(send("POST", user, "/candidate/promote", "{\"candidate\":\"1\",\"version\":\"7\"}").statusCode())
				.isEqualTo(403);
		}
		assertThat(version()).isZero();
		assertThat(send("POST", "sam", "/candidate/promote", "{\"candidate\":\"1\",\"version\":\"0\"}").statusCode())
			.isEqualTo(200);
		Awaitility.await().until(() -> version() == 1);
		assertThat(send("POST", "ida", "/candidate", TIGHT).statusCode()).as("of an old version").isEqualTo(403);
		assertThat(send("POST", "sam", "/candidate", TIGHT).statusCode()).isEqualTo(409);
		send("POST", "sam", "/rules/search", "{\"definition\":\"limit: 50/d\",\"version\":\"1\"}");
		assertThat(send("POST", "ida", "/versions/1", "{\"version\":\"0\"}").statusCode()).isEqualTo(403);
		assertThat(send("POST", "sam", "/versions/1", "{\"version\":\"0\"}").statusCode()).isEqualTo(409);
	}

	@Test
	void aCandidateOverRulesThatHaveChangedIsAConflict() {
		post("", TIGHT);
		awaitCandidate();
		assertThat(post("", TIGHT)).matches((reply) -> reply.statusCode() == 409)
			.matches((reply) -> reply.body().contains("there is a candidate already: version 1; discard it first"));
		assertThat(post("/promote", "{\"candidate\":\"1\",\"version\":\"7\"}").body())
			.contains("the candidate is based on version 0; you read version 7");
		assertThat(send("POST", "alice", "/rules/search", "{\"definition\":\"limit: 50/d\",\"version\":\"0\"}")
			.statusCode()).isEqualTo(200);
		assertThat(post("/promote", "{\"candidate\":\"1\",\"version\":\"0\"}"))
			.matches((reply) -> reply.statusCode() == 409)
			.matches((reply) -> reply.body()
				.contains("the rules were changed since: the newest version is 1; you read 0"));
		assertThat(version()).isLessThanOrEqualTo(1);
		send("DELETE", "alice", "/candidate?candidate=1", "");
		assertThat(post("", TIGHT).body())
			.contains("rule 'search' was changed by alice in version 1; you read version 0");
	}

	@Test
	void aCandidateThatReplacedTheOneThatWasReadIsNeitherPromotedNorDiscarded() {
		post("", TIGHT);
		assertThat(send("DELETE", "alice", "/candidate?candidate=1", "").statusCode()).isEqualTo(200);
		post("", "{\"rule\":\"search\",\"definition\":\"mode: off\",\"version\":\"0\"}");
		String other = "the candidate is version 2 by alice; you read version 1";
		assertThat(post("/promote", "{\"candidate\":\"1\",\"version\":\"0\"}"))
			.matches((reply) -> reply.statusCode() == 409)
			.matches((reply) -> reply.body().contains(other));
		assertThat(send("DELETE", "alice", "/candidate?candidate=1", "")).matches((reply) -> reply.statusCode() == 409)
			.matches((reply) -> reply.body().contains(other));
		assertThat(post("/promote", "{\"version\":\"0\"}").body()).contains("'candidate' is missing");
		assertThat(send("DELETE", "alice", "/candidate", "").body()).contains("'candidate' is missing");
		assertThat(send("DELETE", "alice", "/candidate?candidate=2&note=a%0AWARN+forged", "").statusCode())
			.isEqualTo(400);
		assertThat(get().body()).startsWith("{\"version\":2,");
		assertThat(version()).isZero();
	}

	@Test
	void invalidCandidateIsRejectedWithReasonAndNotStarted() {
		assertThat(post("", "{\"rule\":\"search\",\"definition\":\"limit: soon\",\"version\":\"0\"}").statusCode())
			.isEqualTo(400);
		assertThat(post("", "{\"rule\":\"login\",\"definition\":\"limit: 2/d\",\"version\":\"0\"}").body())
			.contains("the rule 'login' is locked in this application");
		assertThat(post("", "{\"rule\":\"serach\",\"definition\":\"limit: 2/d\",\"version\":\"0\"}").body())
			.contains("there is no rule 'serach'");
		assertThat(post("", "{\"rule\":\"search\",\"definition\":\"limit: 100/d\",\"version\":\"0\"}").body())
			.contains("the candidate changes no rule");
		assertThat(post("", "{\"rule\":\"search\",\"definition\":\"limit: 2/d\"}").body())
			.contains("'version' is missing");
		assertThat(post("", TIGHT.replace("}", ",\"dryRun\":\"true\"}")).body()).startsWith("{\"changes\":[");
		for (String user : List.of("", "eve", "oscar")) {
			assertThat(send("POST", user, "/candidate", TIGHT).statusCode()).isEqualTo(403);
			assertThat(send("POST", user, "/candidate/promote", "{\"candidate\":\"1\",\"version\":\"0\"}").statusCode())
				.isEqualTo(403);
			assertThat(send("DELETE", user, "/candidate?candidate=1", "").statusCode()).isEqualTo(403);
		}
		assertThat(get().body()).isEqualTo("{\"version\":0}");
		assertThat(this.context.getBean(LiveEndpointApplication.Audit.class).events).isEmpty();
	}

	@Test
	void theExamplesOfTheDocumentationWork() throws IOException {
		String page = Files.readString(Path.of("..", "docs", "live-rules.md"))
			.replace("\"version\":\"13\"", "\"version\":\"0\"");
		long candidate = 1;
		List<String> examples = page.lines()
			.filter((line) -> line.startsWith("curl ") && line.contains("/candidate"))
			.toList();
		assertThat(examples).hasSize(4);
		for (int i : List.of(0, 1, 3, 0, 2)) {
			Matcher url = Pattern.compile("http://localhost:8080/actuator/ratelimitlive([^\\s\"]*)\"?$")
				.matcher(examples.get(i));
			Matcher body = Pattern.compile("-d '([^']+)'").matcher(examples.get(i));
			assertThat(url.find()).isTrue();
			boolean posts = body.find();
			String method = (examples.get(i).contains("-X DELETE")) ? "DELETE" : (posts) ? "POST" : "GET";
			Reply reply = send(method, "alice", url.group(1).replace("candidate=14", "candidate=" + candidate), (posts)
					? body.group(1).replace("\"candidate\":\"14\"", "\"candidate\":\"" + candidate + "\"") : "");
			candidate += (method.equals("DELETE")) ? 1 : 0;
			assertThat(reply.statusCode()).as(examples.get(i) + " " + reply.body()).isEqualTo(200);
		}
	}

	private void request(String path, int times) {
		for (int i = 0; i < times; i++) {
			assertThat(new HttpProbe(port()).send("GET", path).statusCode()).isEqualTo(404);
		}
	}

	private void awaitCandidate() {
		RateLimitEngine engine = this.context.getBean(RateLimitEngine.class);
		Awaitility.await().until(() -> engine.trial(engine.editions().current()) != null);
	}

	private void awaitBody(String part) {
		Awaitility.await().untilAsserted(() -> assertThat(get().body()).contains(part));
	}

	private long version() {
		return this.context.getBean(EffectiveRules.class).document().map(RuleDocument::version).orElse(0L);
	}

	private MeterRegistry meters() {
		return this.context.getBean(MeterRegistry.class);
	}

	private Reply get() {
		return send("GET", "alice", "/candidate?candidate=1", "");
	}

	private Reply post(String path, String body) {
		return send("POST", "alice", "/candidate" + path, body);
	}

	private Reply send(String method, String user, String path, String body) {
		String[] fields = (user.isEmpty()) ? new String[] { "Content-Type", "application/json" }
				: new String[] { "Authorization", HttpProbe.basic(user, "secret"), "Content-Type", "application/json" };
		return new HttpProbe(port()).send(method, "/actuator/ratelimitlive" + path, body, fields);
	}

	private int port() {
		return this.context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(LiveEndpointApplication.Servlet.class)
	static class Application {

		@Bean
		LiveEndpointApplication.Audit audit() {
			return new LiveEndpointApplication.Audit();
		}

		@Bean
		MeterRegistry meters() {
			return new SimpleMeterRegistry();
		}

	}

}
