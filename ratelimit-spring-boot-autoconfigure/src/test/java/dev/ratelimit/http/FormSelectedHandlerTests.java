package dev.ratelimit.http;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import dev.ratelimit.Phase;
import dev.ratelimit.RateLimited;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests a handler that is selected by a form field, and is therefore unknown before the
 * form is read.
 */
class FormSelectedHandlerTests {

	private static final String URL_ENCODED = "application/x-www-form-urlencoded";

	private ConfigurableApplicationContext application = new GenericApplicationContext();

	@AfterEach
	void close() {
		this.application.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "tomcat", "jetty" })
	void rulesOfTheHandlerCharge(String server) {
		start(server);
		for (String path : List.of("/early", "/late")) {
			assertThat(statuses(3, path, "mode=other")).as(path).containsExactly(200, 200, 200);
			assertThat(post(path, "mode=limited").body()).as(path).isEqualTo("limited");
			assertThat(statuses(2, path, "mode=limited")).as(path).containsExactly(200, 429);
			assertThat(statuses(1, path + "?mode=limited", "x=1")).as(path).containsExactly(429);
			assertThat(statuses(1, path, "mode=other")).as(path).containsExactly(200);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "tomcat", "jetty" })
	void partsAndFormsOfOtherMethodsSelectToo(String server) {
		start(server);
		String part = "--x\r\nContent-Disposition: form-data; name=\"mode\"\r\n\r\nlimited\r\n--x--\r\n";
		assertThat(IntStream.range(0, 3)
			.mapToObj((i) -> send("POST", "/early", "multipart/form-data; boundary=x", part).statusCode()))
			.containsExactly(200, 200, 429);
		assertThat(
				IntStream.range(0, 3).mapToObj((i) -> send("PUT", "/late", URL_ENCODED, "mode=limited").statusCode()))
			.containsExactly(200, 200, 429);
	}

	@ParameterizedTest
	@CsvSource({ "early, form:name", "late, form:name", "early, ip", "late, ip" })
	void aRuleOfThePathChargesOnce(String phase, String key) {
		start("tomcat", "--ratelimit.rules.all.paths=/early,/late", "--ratelimit.rules.all.limit=5/d",
				"--ratelimit.rules.all.key=" + key, "--ratelimit.rules.all.phase=" + phase);
		assertThat(post("/late", "mode=limited&name=alice").header("X-RateLimit-Remaining")).isEqualTo("1");
		assertThat(post("/early", "mode=other&name=alice").header("X-RateLimit-Remaining")).isEqualTo("3");
	}

	@ParameterizedTest
	@ValueSource(strings = { "early", "late" })
	void theRouteIsThatOfTheHandler(String phase) {
		start("tomcat", "--ratelimit.rules.all.paths=/routes/**", "--ratelimit.rules.all.limit=2/d",
				"--ratelimit.rules.all.key=ip,route", "--ratelimit.rules.all.phase=" + phase);
		assertThat(statuses(3, "/routes/a", "mode=limited")).containsExactly(200, 200, 429);
		assertThat(statuses(3, "/routes/a", "mode=other")).containsExactly(200, 200, 429);
		assertThat(statuses(1, "/routes/a", "mode=limited")).containsExactly(429);
	}

	@ParameterizedTest
	@ValueSource(strings = { "tomcat", "jetty" })
	void aFormThatCannotBeReadIsABadRequest(String server) {
		start(server);
		assertThat(statuses(1, "/early", "mode=%zz")).containsExactly(400);
	}

	private List<Integer> statuses(int times, String path, String form) {
		return IntStream.range(0, times).mapToObj((i) -> post(path, form).statusCode()).toList();
	}

	private Reply post(String path, String form) {
		return send("POST", path, URL_ENCODED, form);
	}

	private Reply send(String method, String path, String type, String body) {
		return new HttpProbe(this.application.getEnvironment().getRequiredProperty("local.server.port", Integer.class))
			.send(method, path, body, new String[] { "Content-Type", type });
	}

	private void start(String server, String... more) {
		List<String> arguments = new ArrayList<>(
				List.of("--server.port=0", "--ratelimit.store=memory", "--test.server=" + server));
		arguments.addAll(List.of(more));
		this.application = new SpringApplicationBuilder(Application.class).web(WebApplicationType.SERVLET)
			.run(arguments.toArray(String[]::new));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Handlers.class, ContractServletSecurity.class })
	static class Application {

		@Bean
		@ConditionalOnProperty(name = "test.server", havingValue = "jetty")
		JettyServletWebServerFactory jetty() {
			return new JettyServletWebServerFactory();
		}

	}

	@RestController
	static class Handlers {

		@RateLimited(value = "2/d", key = "ip", phase = Phase.EARLY)
		@RequestMapping(path = "/early", params = "mode=limited")
		String early() {
			return "limited";
		}

		@RateLimited(value = "2/d", key = "ip", phase = Phase.LATE)
		@RequestMapping(path = "/late", params = "mode=limited")
		String late() {
			return "limited";
		}

		@RequestMapping({ "/early", "/late" })
		String other() {
			return "other";
		}

		@PostMapping(path = "/routes/{id}", params = "mode=limited")
		String one() {
			return "one";
		}

		@PostMapping("/routes/*")
		String two() {
			return "two";
		}

	}

}
