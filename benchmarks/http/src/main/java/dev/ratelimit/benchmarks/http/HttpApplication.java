package dev.ratelimit.benchmarks.http;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * The simplest handler, under one rule.
 */
@SpringBootApplication(proxyBeanMethods = false)
@RestController
public class HttpApplication {

	public static void main(String[] args) {
		SpringApplication.run(HttpApplication.class, args);
	}

	@GetMapping("/hello")
	String hello() {
		return "hello";
	}

}
