package dev.ratelimit.http;

import dev.ratelimit.RateLimiter;
import dev.ratelimit.test.CallTrace;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Traces the second allowed request of an application with one rule per address, in a
 * separate JVM, because the classes are transformed when they are loaded. The argument is
 * the web application type. The output contains the counts.
 */
public final class DecisionPath {

	private DecisionPath() {
	}

	/**
	 * Trace a request.
	 * @param arguments the web application type
	 */
	public static void main(String[] arguments) {
		try (CallTrace trace = new CallTrace(RateLimiter.class);
				ConfigurableApplicationContext application = start(WebApplicationType.valueOf(arguments[0]))) {
			HttpProbe http = new HttpProbe(
					application.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
			http.get("/hello");
			trace.start();
			Reply reply = http.get("/hello");
			CallTrace.Counts counts = trace.stop();
			System.out.println("remaining " + reply.header("X-RateLimit-Remaining"));
			System.out.println("futures " + counts.futures());
			counts.types().stream().sorted().forEach((type) -> System.out.println("type " + type));
			counts.frames().forEach((frame) -> System.out.println("frame " + frame));
		}
	}

	private static ConfigurableApplicationContext start(WebApplicationType stack) {
		return new SpringApplicationBuilder(Application.class).web(stack)
			.run("--server.port=0", "--management.health.redis.enabled=false", "--ratelimit.rules.hello.paths=/**",
					"--ratelimit.rules.hello.key=ip", "--ratelimit.rules.hello.limit=100/d");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration(excludeName = {
			"org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration",
			"org.springframework.boot.security.autoconfigure.web.reactive.ReactiveWebSecurityAutoConfiguration",
			"org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration",
			"org.springframework.boot.security.autoconfigure.actuate.web.reactive.ReactiveManagementWebSecurityAutoConfiguration" })
	@Import(Hello.class)
	static class Application {

	}

	@RestController
	static class Hello {

		@GetMapping("/hello")
		String hello() {
			return "hello";
		}

	}

}
