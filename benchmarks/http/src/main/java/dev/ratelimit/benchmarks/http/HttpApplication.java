package dev.ratelimit.benchmarks.http;

import java.util.Map;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.env.OriginTrackedMapPropertySource;
import org.springframework.core.env.SimpleCommandLinePropertySource;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * An application with the simplest handler and one rule. The property
 * {@code benchmark.rules} adds further rules.
 */
@SpringBootApplication(proxyBeanMethods = false)
@RestController
public class HttpApplication {

	public static void main(String[] args) {
		SpringApplication application = new SpringApplication(HttpApplication.class);
		Map<String, Object> rules = MoreRules.properties(new SimpleCommandLinePropertySource(args));
		// The same type of property source that the loader of YAML files creates.
		application.addInitializers((context) -> context.getEnvironment()
			.getPropertySources()
			.addLast(new OriginTrackedMapPropertySource("rules", rules, true)));
		application.run(args);
	}

	@GetMapping("/hello")
	String hello() {
		return "hello";
	}

}
