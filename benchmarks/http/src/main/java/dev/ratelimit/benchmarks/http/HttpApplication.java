package dev.ratelimit.benchmarks.http;

import java.util.Map;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.env.OriginTrackedMapPropertySource;
import org.springframework.core.env.SimpleCommandLinePropertySource;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * The simplest handler, under one rule, and under as many more as the benchmark says.
 */
@SpringBootApplication(proxyBeanMethods = false)
@RestController
public class HttpApplication {

	public static void main(String[] args) {
		SpringApplication application = new SpringApplication(HttpApplication.class);
		Map<String, Object> rules = MoreRules.properties(new SimpleCommandLinePropertySource(args));
		// As the loader of YAML files makes it.
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
