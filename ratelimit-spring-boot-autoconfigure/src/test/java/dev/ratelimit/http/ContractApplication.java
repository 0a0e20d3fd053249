package dev.ratelimit.http;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.CostResolver;
import dev.ratelimit.RateLimitContext;
import dev.ratelimit.RateLimited;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * The application that runs on both stacks.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({ ContractApplication.Annotated.class, ContractApplication.Shared.class, ContractApplication.Plain.class,
		ContractApplication.Charging.class, ContractApplication.Callers.class, ContractServletSecurity.class,
		ContractReactiveSecurity.class, ContractServletOnly.class, SlowHandlers.class, SlowServletHandlers.class,
		ToldHandlers.class })
class ContractApplication {

	static String role(String user) {
		return (user.startsWith("root-")) ? "ADMIN" : (user.startsWith("auditor-")) ? "AUDITOR" : "USER";
	}

	@Target(ElementType.METHOD)
	@Retention(RetentionPolicy.RUNTIME)
	@RateLimited(id = "meta", value = "2/d")
	@interface TwoADay {

	}

	@RestController
	@RequestMapping("/c")
	static class Annotated {

		@RateLimited("3/d")
		@GetMapping("/value")
		String value() {
			return "value";
		}

		@RateLimited("3/d")
		@GetMapping("/mono")
		Mono<String> mono() {
			return Mono.just("mono");
		}

		@RateLimited("3/d")
		@GetMapping("/flux")
		Flux<String> flux() {
			return Flux.just("flux");
		}

		@RateLimited("3/d")
		@GetMapping("/future")
		CompletableFuture<String> future() {
			return CompletableFuture.supplyAsync(() -> "future");
		}

		@RateLimited("3/d")
		@GetMapping("/fails")
		String fails() {
			throw new IllegalStateException("on purpose");
		}

		@TwoADay
		@GetMapping("/meta")
		String meta() {
			return "meta";
		}

		@RateLimited(id = "narrow", value = "2/d")
		@RateLimited(id = "wide", value = "100/d")
		@GetMapping("/repeated")
		String repeated() {
			return "repeated";
		}

		@RateLimited(id = "retuned", value = "100/d")
		@GetMapping("/retuned")
		String retuned() {
			return "retuned";
		}

		@RateLimited(rule = "named")
		@GetMapping("/named")
		String named() {
			return "named";
		}

		@RateLimited("2/d")
		@GetMapping("/users/{id}")
		String user(@PathVariable String id) {
			return id;
		}

		@GetMapping("/users/me")
		String me() {
			return "me";
		}

		@RateLimited("2/d")
		@GetMapping(path = "/split", params = "v=1")
		String splitOne() {
			return "one";
		}

		@GetMapping(path = "/split", params = "v=2")
		String splitTwo() {
			return "two";
		}

	}

	@RestController
	@RequestMapping("/c/shared")
	@RateLimited("3/d")
	static class Shared {

		@GetMapping("/a")
		String a() {
			return "a";
		}

		@GetMapping("/b")
		String b() {
			return "b";
		}

		@RateLimited("1/d")
		@GetMapping("/own")
		String own() {
			return "own";
		}

	}

	@RestController
	static class Plain {

		@GetMapping({ "/c/yaml/{id}", "/c/costly", "/c/three", "/c/shadow", "/c/off", "/c/global", "/c/route/{id}",
				"/c/missing/{how}", "/c/free/x", "/charging/{what}", "/charging/queue/{what}",
				"/charging/shared/{what}", "/secured/early", "/secured/late", "/elsewhere", "/closed", "/hourly",
				"/often" })
		String get() {
			return "ok";
		}

		@PostMapping({ "/c/orders", "/c/yaml/{id}" })
		@ResponseStatus(HttpStatus.CREATED)
		String post() {
			return "ordered";
		}

	}

	@RestController
	static class Charging {

		@GetMapping("/charging/settled")
		String settled(@RequestParam long actual, RateLimitContext limits) {
			limits.settle(actual).toCompletableFuture().join();
			limits.settle("settled", actual).toCompletableFuture().join();
			return Boolean.toString(limits.decision().allowed());
		}

		@GetMapping("/charging/nothing")
		String nothing(RateLimitContext limits) {
			limits.settle(7).toCompletableFuture().join();
			return (limits.equals(RateLimitContext.NONE)) ? "none" : limits.toString();
		}

		@GetMapping({ "/charging/refunded", "/charging/count-only" })
		ResponseEntity<String> status(@RequestParam int status) {
			return ResponseEntity.status(status).body("answered");
		}

		@PostMapping("/charging/orders")
		ResponseEntity<String> order(@RequestParam int status) {
			return ResponseEntity.status(status).body("answered");
		}

		@GetMapping("/charging/refunded/later")
		CompletableFuture<ResponseEntity<String>> later(@RequestParam int status) {
			return CompletableFuture.supplyAsync(() -> ResponseEntity.status(status).body("later"));
		}

		@GetMapping("/charging/refunded/thrown")
		String thrown() {
			throw new IllegalStateException("on purpose");
		}

		@PostMapping("/charging/bytes")
		String bytes(@RequestBody String body) {
			return body;
		}

		@Bean
		CostResolver twice() {
			return (request) -> 2;
		}

	}

	@RestController
	static class Callers {

		@GetMapping({ "/callers/{what}", "/secured/bypass", "/secured/basic" })
		String get() {
			return "ok";
		}

		@GetMapping({ "/routes/{phase}/one/{id}", "/routes/{phase}/other" })
		String endpoint() {
			return "endpoint";
		}

		@GetMapping(path = "/routes/{phase}/{rest}", params = "v")
		String conditional() {
			return "conditional";
		}

		@PostMapping("/callers/login")
		ResponseEntity<String> login(@ModelAttribute Login login) {
			return (login.password().equals("right")) ? ResponseEntity.ok(login.username())
					: ResponseEntity.status(HttpStatus.UNAUTHORIZED).build();
		}

		@PostMapping({ "/callers/form", "/callers/broken" })
		String form(@ModelAttribute Login login) {
			return login.username();
		}

		record Login(String username, String password) {

		}

	}

	@RestController
	static class Limited {

		@RateLimited("3/d")
		@GetMapping("/limited")
		String limited() {
			return "limited";
		}

	}

}
