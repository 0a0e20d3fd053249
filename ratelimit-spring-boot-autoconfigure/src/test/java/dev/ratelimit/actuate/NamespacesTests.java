package dev.ratelimit.actuate;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.http.HttpProbe;
import dev.ratelimit.http.Reply;
import dev.ratelimit.live.MemoryRuleSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests users of two teams at the endpoint: sam of the search team and ida of the
 * identity team.
 */
class NamespacesTests {

	private static final String PATH = "/actuator/ratelimitlive";

	private static final String LIMIT = "{\"definition\":\"limit: 200/min\",\"version\":\"0\"}";

	private static final String OFF = "{\"mode\":\"off\"}";

	@Nested
	class OnServlet extends Contract {

		OnServlet() {
			super(WebApplicationType.SERVLET);
		}

	}

	@Nested
	class OnWebFlux extends Contract {

		OnWebFlux() {
			super(WebApplicationType.REACTIVE);
		}

	}

	@TestInstance(TestInstance.Lifecycle.PER_CLASS)
	abstract static class Contract {

		private final ConfigurableApplicationContext context;

		private final int port;

		Contract(WebApplicationType stack) {
			this.context = new SpringApplicationBuilder(LiveEndpointApplication.class).web(stack)
				.run(Stream
					.of("server.port=0", "management.endpoints.web.exposure.include=*",
							"ratelimit.rules.search-web.limit=100/min", "ratelimit.rules.search-web.paths=/search",
							"ratelimit.rules.search-login.limit=100/min", "ratelimit.rules.search-login.paths=/login",
							"ratelimit.rules.login.limit=5/min", "ratelimit.rules.login.paths=/login",
							"ratelimit.rules.other.limit=5/min", "ratelimit.rules.other.paths=/other",
							"ratelimit.namespaces.search-team.prefix=search-",
							"ratelimit.namespaces.search-team.paths=/search/**",
							"ratelimit.namespaces.search-team.authorities=TEAM_SEARCH",
							"ratelimit.namespaces.identity.prefix=login",
							"ratelimit.namespaces.identity.authorities=TEAM_IDENTITY,OTHERS",
							"ratelimit.namespaces.inner.prefix=search-login",
							"ratelimit.namespaces.inner.authorities=TEAM_IDENTITY")
					.map("--"::concat)
					.toArray(String[]::new));
			this.port = this.context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
		}

		@AfterAll
		void close() {
			this.context.close();
		}

		@BeforeEach
		void clear() {
			Reply present = get("/rules");
			for (String rule : List.of("search-web", "search-login", "login", "other", "search-new")) {
				String version = get("/rules").body().replaceAll(".*?\"version\":(\\d+).*", "$1");
				send("DELETE", "alice", "/rules/" + rule + "?version=" + version, "");
			}
			assertThat(present.statusCode()).isEqualTo(200);
		}

		@Test
		void aTeamWritesItsOwnRules() {
			assertThat(post("sam", "/rules/search-web", LIMIT).statusCode()).isEqualTo(200);
			assertThat(get("/rules/search-web").body()).contains("\"owner\":\"search-team\"", "\"user\":\"sam\"");
			assertThat(get("/rules").body()).contains("\"owner\":\"search-team\"");
			assertThat(get("/page").body()).contains("\"owner\":\"identity\"");
			assertThat(post("ida", "/rules/login", LIMIT).statusCode()).isEqualTo(200);
			assertThat(post("sam", "/rules/search-new", entry("limit: 1/s, paths: /search/new")).statusCode())
				.isEqualTo(200);
		}

		@Test
		void aTeamWritesNoRulesOfOthers() {
			String foreign = "rule 'login' belongs to 'identity'; you may change 'search-…'";
			assertForbidden(post("sam", "/rules/login", LIMIT), foreign);
			assertForbidden(send("DELETE", "sam", "/rules/login?version=0", ""), foreign);
			assertForbidden(post("sam", "/rules/other", LIMIT),
					"rule 'other' belongs to no team; you may change 'search-…'");
			assertForbidden(post("sam", "/rules/search-login", LIMIT),
					"rule 'search-login' belongs to 'inner'; you may change 'search-…'");
			assertThat(post("ida", "/rules/search-login", LIMIT).statusCode()).as("longest prefix").isEqualTo(200);
			assertForbidden(post("eve", "/rules/search-web", LIMIT), "changes need the authority RATELIMIT_WRITE");
			assertForbidden(post("oscar", "/rules/search-web", LIMIT), "changes need the authority RATELIMIT_WRITE");
			assertThat(post("alice", "/rules/other", LIMIT).statusCode()).isEqualTo(200);
		}

		@Test
		void aTeamStaysWithinItsPathsAndNames() {
			assertForbidden(post("sam", "/rules/search-web", entry("paths: /**")),
					"rule 'search-web' has the path '/**', which is not within [/search/**]; you may change 'search-…'");
			assertForbidden(post("sam", "/rules/search-new", entry("limit: 1/s, paths: [/search/a, /login]")),
					"rule 'search-new' has the path '/login', which is not within [/search/**]; you may change"
							+ " 'search-…'");
			assertForbidden(post("sam", "/rules/search-web", entry("replaces: [login]")),
					"rule 'search-web' replaces 'login', which belongs to 'identity'; you may change 'search-…'");
			assertForbidden(post("sam", "/rules/search-web", entry("bucket: login-all")),
					"rule 'search-web' uses the bucket 'login-all', which belongs to 'identity'; you may change 'search-…'");
			assertThat(post("sam", "/rules/search-web", entry("bucket: search-all, paths: /search/**")).statusCode())
				.isEqualTo(200);
			assertThat(post("alice", "/rules/search-web", entry("paths: /**")).statusCode()).isEqualTo(200);
		}

		@Test
		void aTeamGoesBackIfOnlyItsOwnRulesDiffer() {
			long before = version();
			post("alice", "/rules/search-web", LIMIT);
			long own = version();
			post("sam", "/rules/search-web", entry("limit: 300/min"));
			assertThat(post("sam", "/versions/" + own, "{\"version\":\"" + version() + "\"}").statusCode())
				.isEqualTo(200);
			post("alice", "/rules/login", LIMIT);
			assertForbidden(post("sam", "/versions/" + own, "{\"version\":\"" + version() + "\"}"),
					"rule 'login' belongs to 'identity'; you may change 'search-…'");
			assertThat(version()).isGreaterThan(before);
		}

		@Test
		void aTeamSwitchesItsOwnRules() {
			assertThat(post("sam", "/switches/search-web", OFF).statusCode()).isEqualTo(200);
			assertForbidden(post("sam", "/switches/login", OFF),
					"rule 'login' belongs to 'identity'; you may change 'search-…'");
			assertForbidden(post("sam", "/switches", OFF),
					"switches of all rules need the authority RATELIMIT_OPERATE or RATELIMIT_WRITE");
			assertForbidden(send("DELETE", "ida", "/switches/search-web", ""),
					"rule 'search-web' belongs to 'search-team'; you may change 'login…', 'search-login…'");
			assertThat(post("oscar", "/switches/login", OFF).statusCode()).isEqualTo(200);
			assertThat(send("DELETE", "sam", "/switches/search-web", "").statusCode()).isEqualTo(200);
			assertThat(send("DELETE", "ida", "/switches/login", "").statusCode()).isEqualTo(200);
		}

		private static String entry(String definition) {
			return "{\"definition\":\"{" + definition + "}\",\"version\":\"0\"}";
		}

		private static void assertForbidden(Reply reply, String reason) {
			// The probe reads bodies as single bytes.
			String body = new String(reply.body().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
			assertThat(body).isEqualTo("{\"error\":\"" + reason + "\"}");
			assertThat(reply.statusCode()).isEqualTo(403);
		}

		private long version() {
			return this.context.getBean(MemoryRuleSource.class).newest().orElseThrow().version();
		}

		private Reply get(String path) {
			return new HttpProbe(this.port).get(PATH + path);
		}

		// Edits specify the newest version.
		private Reply post(String user, String path, String body) {
			String version = String
				.valueOf(this.context.getBean(MemoryRuleSource.class).newest().map((one) -> one.version()).orElse(0L));
			return send("POST", user, path, body.replace("\"version\":\"0\"", "\"version\":\"" + version + "\""));
		}

		private Reply send(String method, String user, String path, String body) {
			return new HttpProbe(this.port).send(method, PATH + path, body, new String[] { "Content-Type",
					"application/json", "Authorization", HttpProbe.basic(user, "secret") });
		}

	}

}
