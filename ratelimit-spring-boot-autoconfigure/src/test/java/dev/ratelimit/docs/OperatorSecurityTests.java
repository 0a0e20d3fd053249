package dev.ratelimit.docs;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

import dev.ratelimit.actuate.LiveEndpointApplication;
import dev.ratelimit.docs.MarkdownPage.Snippet;
import dev.ratelimit.http.HttpProbe;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The security configuration that the documentation offers, in an application that has a
 * chain of its own.
 */
class OperatorSecurityTests {

	private static final String SWITCHES = "/actuator/ratelimitlive/switches/search";

	private static final String SWITCH = "{\"mode\":\"shadow\",\"duration\":\"1m\"}";

	@ParameterizedTest
	@CsvSource({ "SERVLET, OperatorSecurity", "REACTIVE, ReactiveOperatorSecurity" })
	void operatorsChangeRulesAndTheChainOfTheApplicationStays(WebApplicationType stack, String name,
			@TempDir Path target) throws Exception {
		Snippet snippet = MarkdownPage.of("docs/live-rules.md")
			.snippets("java")
			.stream()
			.filter((one) -> one.text().contains("class " + name + " "))
			.findFirst()
			.orElseThrow();
		assertThat(SnippetCompiler.compile(snippet, target)).isEmpty();
		try (URLClassLoader loader = new URLClassLoader(new URL[] { target.toUri().toURL() },
				getClass().getClassLoader());
				ConfigurableApplicationContext application = new SpringApplicationBuilder(LiveEndpointApplication.class,
						loader.loadClass(name))
					.web(stack)
					.run("--server.port=0", "--spring.main.banner-mode=off",
							"--management.endpoints.web.exposure.include=ratelimit,ratelimitlive",
							"--ratelimit.rules.search=/api/search 3/h per user")) {
			HttpProbe probe = new HttpProbe(
					application.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
			assertThat(status(probe, "POST", SWITCHES, "alice")).isEqualTo(200);
			assertThat(status(probe, "DELETE", SWITCHES, "alice")).isEqualTo(200);
			assertThat(status(probe, "POST", SWITCHES, "bob")).isEqualTo(403);
			assertThat(status(probe, "POST", SWITCHES, "")).isEqualTo(401);
			assertThat(status(probe, "GET", "/actuator/ratelimit", "")).isEqualTo(401);
			assertThat(status(probe, "GET", "/api/search", "")).isEqualTo(404);
		}
	}

	private static int status(HttpProbe probe, String method, String path, String user) {
		String[] headers = (user.isEmpty()) ? new String[] { "Content-Type", "application/json" }
				: new String[] { "Content-Type", "application/json", "Authorization", HttpProbe.basic(user, "secret") };
		return probe.send(method, path, (method.equals("POST")) ? SWITCH : "", headers).statusCode();
	}

}
