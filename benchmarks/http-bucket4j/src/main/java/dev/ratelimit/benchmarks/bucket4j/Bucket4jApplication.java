package dev.ratelimit.benchmarks.bucket4j;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * An application with the simplest handler, which a filter of bucket4j's starter limits.
 */
@SpringBootApplication(proxyBeanMethods = false)
@RestController
public class Bucket4jApplication {

	public static void main(String[] args) {
		SpringApplication.run(Bucket4jApplication.class, args);
	}

	@GetMapping("/hello")
	String hello() {
		return "hello";
	}

}
