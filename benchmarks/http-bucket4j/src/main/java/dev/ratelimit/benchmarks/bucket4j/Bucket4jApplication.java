package dev.ratelimit.benchmarks.bucket4j;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * The simplest handler, under one filter of the starter.
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
