package dev.ratelimit.http;

import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
 * Tests that an unreadable form is a client error.
 */
@ExtendWith(OutputCaptureExtension.class)
class BrokenFormTests {

	@ParameterizedTest
	@CsvSource({ "SERVLET, %zz, 1, 400", "REACTIVE, %zz, 1, 400", "SERVLET, %4, 1, 400", "REACTIVE, %4, 1, 400",
			"REACTIVE, x, 2000, 413" })
	void isRejectedAndNotLogged(WebApplicationType stack, String text, int times, int status, CapturedOutput output) {
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class).web(stack)
			.run("--server.port=0", "--ratelimit.store=memory", "--ratelimit.rules.account.paths=/login",
					"--ratelimit.rules.account.key=form:username", "--ratelimit.rules.account.limit=1/d",
					"--spring.http.codecs.max-in-memory-size=1KB")) {
			HttpProbe http = new HttpProbe(
					context.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
			String[] type = { "Content-Type", "application/x-www-form-urlencoded" };
			String form = "username=" + text.repeat(times);
			assertThat(http.send("POST", "/login", form, type).statusCode()).isEqualTo(status);
			assertThat(http.send("POST", "/login", form, type).statusCode()).as("it counts").isEqualTo(429);
			assertThat(ErrorLog.lines(output)).isEmpty();
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void theChargeIsRefundedForItsStatus(WebApplicationType stack) {
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class).web(stack)
			.run("--server.port=0", "--ratelimit.store=memory", "--ratelimit.rules.account.paths=/login",
					"--ratelimit.rules.account.key=form:username", "--ratelimit.rules.account.limit=1/d",
					"--ratelimit.rules.account.count-only.status=401")) {
			HttpProbe http = new HttpProbe(
					context.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
			String[] type = { "Content-Type", "application/x-www-form-urlencoded" };
			for (int i = 0; i < 3; i++) {
				assertThat(http.send("POST", "/login", "username=%zz", type).statusCode()).isEqualTo(400);
			}
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
