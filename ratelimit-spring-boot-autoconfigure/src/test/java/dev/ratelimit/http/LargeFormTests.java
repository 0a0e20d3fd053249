package dev.ratelimit.http;

import java.nio.charset.StandardCharsets;

import jakarta.servlet.http.HttpServletRequest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests forms of unknown length that are larger than the server allows.
 */
class LargeFormTests {

	private static final int KILOBYTE = 1024;

	@ParameterizedTest
	@CsvSource({ "TOMCAT, 9, 200", "TOMCAT, 15, 413", "TOMCAT, 25, 413", "JETTY, 15, 200", "JETTY, 25, 413" })
	void formsAreAsLargeAsTheServerThatRunsAllows(String server, int kilobytes, int status) {
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.SERVLET)
			.run("--server.port=0", "--test.server=" + server, "--ratelimit.store=memory",
					"--ratelimit.rules.account.paths=/login", "--ratelimit.rules.account.key=form:username",
					"--ratelimit.rules.account.limit=100/d", "--server.tomcat.max-http-form-post-size=10KB",
					"--server.jetty.max-http-form-post-size=20KB")) {
			int port = context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
			assertThat(new HttpProbe(port).sendRaw(chunked(kilobytes)).statusCode()).isEqualTo(status);
		}
	}

	private static String chunked(int kilobytes) {
		StringBuilder request = new StringBuilder("POST /login HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n")
			.append("Content-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n");
		String form = "username=alice&other=" + "x".repeat(kilobytes * KILOBYTE);
		byte[] bytes = form.getBytes(StandardCharsets.US_ASCII);
		for (int start = 0; start < bytes.length; start += KILOBYTE) {
			String chunk = form.substring(start, Math.min(bytes.length, start + KILOBYTE));
			request.append(Integer.toHexString(chunk.length())).append("\r\n").append(chunk).append("\r\n");
		}
		return request.append("0\r\n\r\n").toString();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Handlers.class, ContractServletSecurity.class })
	static class Application {

		@Bean
		@ConditionalOnProperty(name = "test.server", havingValue = "JETTY")
		JettyServletWebServerFactory jetty() {
			return new JettyServletWebServerFactory();
		}

	}

	@RestController
	static class Handlers {

		@PostMapping("/login")
		String login(HttpServletRequest request) {
			return String.valueOf(request.getParameter("username"));
		}

	}

}
