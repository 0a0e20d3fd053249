package dev.ratelimit.benchmarks.http;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
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
		application.setDefaultProperties(MoreRules.properties(new SimpleCommandLinePropertySource(args)));
		application.run(args);
	}

	@GetMapping("/hello")
	String hello() {
		return "hello";
	}

}
