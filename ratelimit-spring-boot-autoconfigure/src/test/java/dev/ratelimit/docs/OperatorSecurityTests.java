package dev.ratelimit.docs;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.ratelimit.actuate.LiveEndpointApplication;
import dev.ratelimit.docs.MarkdownPage.Snippet;
import dev.ratelimit.http.HttpProbe;
import dev.ratelimit.test.CurlCommand;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the security configuration of the documentation in an application that has its
 * own security filter chain.
 */
class OperatorSecurityTests {

	private static final String SWITCHES = "/actuator/ratelimitlive/switches/search";

	private static final String SWITCH = "{\"mode\":\"shadow\",\"duration\":\"1m\"}";

	private static final Pattern READING = Pattern
		.compile("curl (?:-i )?-u alice (\"\\$APP/actuator/(?:health|metrics)[^`\\n]*)");

	@ParameterizedTest
	@CsvSource({ "SERVLET, OperatorSecurity", "REACTIVE, ReactiveOperatorSecurity" })
	void operatorsChangeRulesAndTheChainOfTheApplicationStays(WebApplicationType stack, String name,
			@TempDir Path target) throws Exception {
		withChain(LiveEndpointApplication.class, stack, name, target, (probe) -> {
			assertThat(status(probe, "POST", SWITCHES, "alice")).isEqualTo(200);
			assertThat(status(probe, "DELETE", SWITCHES, "alice")).isEqualTo(200);
			assertThat(status(probe, "POST", SWITCHES, "bob")).isEqualTo(403);
			assertThat(status(probe, "POST", SWITCHES, "")).isEqualTo(401);
			assertThat(status(probe, "GET", "/actuator/ratelimit", "")).isEqualTo(401);
			assertThat(status(probe, "GET", "/api/search", "")).isEqualTo(404);
		});
	}

	@ParameterizedTest
	@CsvSource({ "SERVLET, OperatorSecurity", "REACTIVE, ReactiveOperatorSecurity" })
	void theRunbookReadsHealthAndMetersWhereTheApplicationHasAFormForUsers(WebApplicationType stack, String name,
			@TempDir Path target) throws Exception {
		List<String> commands = Stream.of("docs/runbook.md", "docs/operations.md")
			.flatMap((page) -> READING.matcher(MarkdownPage.of(page).text()).results())
			.map(MatchResult::group)
			.toList();
		assertThat(commands).hasSizeGreaterThan(8);
		withChain(FormLoginApplication.class, stack, name, target, (probe) -> {
			// The early phase rejects a request, so that the meters exist.
			assertThat(status(probe, "GET", "/login", "")).isEqualTo(200);
			assertThat(status(probe, "GET", "/login", "")).isEqualTo(429);
			assertThat(commands).allSatisfy((text) -> {
				CurlCommand command = CurlCommand.parse(text);
				assertThat(status(probe, command.method(), command.path(), command.user())).as(text).isEqualTo(200);
				// The chain of the application may redirect the error dispatch to its
				// login page.
				assertThat(status(probe, command.method(), command.path(), "")).as(text).isIn(401, 302);
			});
			assertThat(status(probe, "GET", "/actuator", "alice")).isEqualTo(200);
			assertThat(status(probe, "GET", "/actuator/health", "")).isEqualTo(200);
			assertThat(status(probe, "GET", "/actuator/metrics/jvm.info", "alice")).as("of the application")
				.isIn(401, 302);
		});
	}

	private void withChain(Class<?> application, WebApplicationType stack, String name, Path target,
			Consumer<HttpProbe> test) throws Exception {
		Snippet snippet = MarkdownPage.of("docs/live-rules.md")
			.snippets("java")
			.stream()
			.filter((one) -> one.text().contains("class " + name + " "))
			.findFirst()
			.orElseThrow();
		assertThat(SnippetCompiler.compile(snippet, target)).isEmpty();
		try (URLClassLoader loader = new URLClassLoader(new URL[] { target.toUri().toURL() },
				getClass().getClassLoader());
				ConfigurableApplicationContext context = new SpringApplicationBuilder(application,
						loader.loadClass(name))
					.web(stack)
					.run("--server.port=0", "--spring.main.banner-mode=off", "--management.health.redis.enabled=false",
							"--management.endpoint.health.show-details=when-authorized",
							"--management.endpoints.web.exposure.include=health,metrics,ratelimit,ratelimitlive",
							"--ratelimit.rules.search=/api/search 3/h per user",
							"--ratelimit.rules.login=/login 1/h per ip")) {
			test.accept(
					new HttpProbe(context.getEnvironment().getRequiredProperty("local.server.port", Integer.class)));
		}
	}

	private static int status(HttpProbe probe, String method, String path, String user) {
		String[] headers = (user.isEmpty()) ? new String[] { "Content-Type", "application/json" }
				: new String[] { "Content-Type", "application/json", "Authorization", HttpProbe.basic(user, "secret") };
		return probe.send(method, path, (method.equals("POST")) ? SWITCH : "", headers).statusCode();
	}

}
