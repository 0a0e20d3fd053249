package dev.ratelimit.http;

import java.util.List;

import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that a malformed origin, which no browser sends, is not an application error.
 */
@ExtendWith(OutputCaptureExtension.class)
class MalformedOriginTests {

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void isRejectedAndNotLogged(WebApplicationType stack, CapturedOutput output) {
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class).web(stack)
			.run("--server.port=0", "--ratelimit.store=memory", "--ratelimit.rules.closed.paths=/login",
					"--ratelimit.rules.closed.limit=0/d")) {
			HttpProbe http = new HttpProbe(
					context.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
			for (String origin : List.of("http://[", "http://a:b", "::", "null")) {
				assertThat(http.send("POST", "/login", "", new String[] { "Origin", origin }).statusCode()).as(origin)
					.isEqualTo(403);
			}
			assertThat(ErrorLog.lines(output)).isEmpty();
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Handlers.class, ContractServletSecurity.class, ContractReactiveSecurity.class })
	static class Application {

	}

	@RestController
	static class Handlers {

		@PostMapping("/login")
		String login() {
			return "in";
		}

	}

}
