package dev.ratelimit.http;

import java.util.concurrent.CompletableFuture;

import dev.ratelimit.RateLimitExceededException;
import dev.ratelimit.RateLimited;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * An application with all forms of annotations, which runs on both stacks.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({ AnnotationApplication.Exempting.class, AnnotationApplication.Shadowed.class,
		AnnotationApplication.Conditions.class, AnnotationApplication.Inheriting.class,
		AnnotationApplication.Advised.class, AnnotationApplication.Quotes.class, AnnotationApplication.Quoting.class,
		ContractServletSecurity.class, ContractReactiveSecurity.class, ServletRoutes.class, ReactiveRoutes.class })
class AnnotationApplication {

	@Bean
	InterfaceController interfaceController() {
		ProxyFactory factory = new ProxyFactory(new InterfaceControllerOfOwn());
		return (InterfaceController) factory.getProxy();
	}

	@RestController
	@RequestMapping("/a")
	@RateLimited("2/d")
	static class Exempting {

		@GetMapping("/limited")
		String limited() {
			return "limited";
		}

		@RateLimited.Exempt
		@GetMapping("/exempt")
		String exempt() {
			return "exempt";
		}

		@PostMapping("/exempt")
		String notExempt() {
			return "posted";
		}

		@RateLimited.Exempt("narrow")
		@GetMapping("/narrow/exempt")
		String exemptFromNarrow() {
			return "exempt";
		}

		@GetMapping("/narrow/limited")
		String narrow() {
			return "narrow";
		}

		@RateLimited.Exempt
		@GetMapping("/users/me")
		String me() {
			return "me";
		}

		@GetMapping("/users/{id}")
		String user(@PathVariable String id) {
			return id;
		}

	}

	@RestController
	static class Shadowed {

		@RateLimited("1/d")
		@GetMapping("/b/{what}")
		String what(@PathVariable String what) {
			return "handler " + what;
		}

	}

	@RestController
	static class Conditions {

		@RateLimited("1/d")
		@GetMapping(path = "/c/version", version = "1.0")
		String first() {
			return "first";
		}

		@RateLimited("2/d")
		@GetMapping(path = "/c/version", version = "2.0+")
		String second() {
			return "second";
		}

		@RateLimited("1/d")
		@PostMapping(path = "/c/consumes", consumes = "application/json")
		String json() {
			return "json";
		}

		@RateLimited("2/d")
		@PostMapping(path = "/c/consumes", consumes = "text/plain")
		String text() {
			return "text";
		}

		@RateLimited("1/d")
		@GetMapping(path = "/c/produces", produces = "application/json")
		String jsonOut() {
			return "{}";
		}

		@RateLimited("2/d")
		@GetMapping(path = "/c/produces", produces = "text/plain")
		String textOut() {
			return "text";
		}

		@RateLimited("1/d")
		@GetMapping(path = "/c/header", headers = "X-Kind=a")
		String kindA() {
			return "a";
		}

		@RateLimited("2/d")
		@GetMapping(path = "/c/header", headers = "X-Kind=b")
		String kindB() {
			return "b";
		}

	}

	abstract static class Inherited<T> {

		@RateLimited("2/d")
		@GetMapping("/d/inherited/{id}")
		String inherited(@PathVariable("id") T id) {
			return "base";
		}

	}

	interface WithDefault {

		@RateLimited("2/d")
		@GetMapping("/d/default")
		default String byDefault() {
			return "default";
		}

	}

	@RestController
	static class Inheriting extends Inherited<String> implements WithDefault {

		@Override
		String inherited(String id) {
			return "own";
		}

	}

	@RestController
	static class Advised {

		@RateLimited("2/d")
		@GetMapping("/d/advised")
		String handler() {
			return "handler";
		}

		@RateLimited(value = "1/d", key = "global")
		String plain() {
			return "plain";
		}

	}

	@RestController
	interface InterfaceController {

		@GetMapping("/d/interface")
		String get();

	}

	static class InterfaceControllerOfOwn implements InterfaceController {

		@Override
		@RateLimited("2/d")
		public String get() {
			return "interface";
		}

	}

	@Service
	static class Quotes {

		@RateLimited(value = "1/d", key = "global", status = 420)
		String value() {
			return "value";
		}

		@RateLimited(value = "1/d", key = "global", status = 420)
		Mono<String> mono() {
			return Mono.just("mono");
		}

		@RateLimited(value = "1/d", key = "global", status = 420)
		Flux<String> flux() {
			return Flux.just("flux");
		}

		@RateLimited(value = "1/d", key = "global", status = 420)
		CompletableFuture<String> future() {
			return CompletableFuture.completedFuture("future");
		}

		@RateLimited(value = "1/d", key = "global", status = 420)
		Mono<String> routed() {
			return Mono.just("routed");
		}

		@RateLimited(value = "1/d", key = "caller")
		Mono<String> ofCaller() {
			return Mono.just("caller");
		}

		@RateLimited(value = "1/d", key = "global", status = 420)
		Mono<String> refunded() {
			return Mono.just("refunded");
		}

		@RateLimited(value = "1/d", key = "global")
		Mono<String> handled() {
			return Mono.just("handled");
		}

	}

	@RestController
	static class Quoting {

		private final Quotes quotes;

		Quoting(Quotes quotes) {
			this.quotes = quotes;
		}

		@GetMapping("/e/value")
		Mono<String> value() {
			return Mono.fromSupplier(this.quotes::value).subscribeOn(Schedulers.boundedElastic());
		}

		@GetMapping("/e/mono")
		Mono<String> mono() {
			return this.quotes.mono();
		}

		@GetMapping("/e/flux")
		Flux<String> flux() {
			return this.quotes.flux();
		}

		@GetMapping("/e/future")
		CompletableFuture<String> future() {
			return CompletableFuture.supplyAsync(this.quotes::future).thenCompose((future) -> future);
		}

		@GetMapping("/e/refunded")
		Mono<String> refunded() {
			return this.quotes.refunded();
		}

		@GetMapping("/secured/caller")
		Mono<String> ofCaller() {
			return this.quotes.ofCaller();
		}

	}

	@RestController
	static class Handling {

		private final Quotes quotes;

		Handling(Quotes quotes) {
			this.quotes = quotes;
		}

		@GetMapping("/e/handled")
		Mono<String> handled() {
			return this.quotes.handled();
		}

		@ExceptionHandler
		@ResponseStatus(HttpStatus.CONFLICT)
		String handle(RateLimitExceededException rejection) {
			return "handled";
		}

	}

}
