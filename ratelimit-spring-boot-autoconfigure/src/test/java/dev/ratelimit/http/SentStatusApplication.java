package dev.ratelimit.http;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.servlet.http.HttpServletResponse;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.boot.web.error.ErrorPage;
import org.springframework.boot.web.error.ErrorPageRegistrar;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.server.ResponseStatusException;

/**
 * An application in which components other than handlers set the status.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({ SentStatusApplication.Servlets.class, SentStatusApplication.Reactive.class,
		SentStatusApplication.Handlers.class })
class SentStatusApplication {

	/** Error pages and Spring Security, which are excluded. */
	static final String LEFT_OUT = Stream
		.of("webmvc.autoconfigure.error.ErrorMvc", "webflux.autoconfigure.error.ErrorWebFlux",
				"security.autoconfigure.Security", "security.autoconfigure.UserDetailsService",
				"security.autoconfigure.ReactiveUserDetailsService",
				"security.autoconfigure.web.servlet.SecurityFilter",
				"security.autoconfigure.web.servlet.ServletWebSecurity",
				"security.autoconfigure.web.reactive.ReactiveWebSecurity",
				"security.autoconfigure.actuate.web.servlet.ManagementWebSecurity",
				"security.autoconfigure.actuate.web.reactive.ReactiveManagementWebSecurity")
		.map((name) -> "org.springframework.boot." + name + "AutoConfiguration")
		.collect(Collectors.joining(","));

	/** Starts a thread for each task. */
	private static final Executor THREADS = (task) -> new Thread(task).start();

	private static Exception failure(String how) {
		return switch (how) {
			case "404" -> new NotThere();
			case "503" -> new ResponseStatusException(HttpStatus.SERVICE_UNAVAILABLE);
			case "paged" -> new Paged();
			default -> new IllegalStateException("on purpose");
		};
	}

	enum Server {

		TOMCAT, JETTY, NETTY

	}

	@RestController
	static class Handlers {

		@PreAuthorize("hasRole('ADMIN')")
		@GetMapping({ "/denied", "/denied/early" })
		Mono<String> denied() {
			return Mono.just("let in");
		}

		@GetMapping("/failing/{how}")
		Mono<String> failing(@PathVariable String how) throws Exception {
			throw failure(how);
		}

		@GetMapping("/failing/later/{how}")
		Mono<String> later(@PathVariable String how) {
			return Mono.fromFuture(CompletableFuture.supplyAsync(() -> how, THREADS))
				.flatMap((known) -> Mono.error(failure(known)));
		}

	}

	@RestController
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	static class Servlets {

		@PreAuthorize("hasRole('ADMIN')")
		@GetMapping("/denied/later")
		Callable<String> later() {
			return () -> "let in";
		}

		@GetMapping("/failing/set/{status}")
		void set(@PathVariable int status, HttpServletResponse response) {
			response.setStatus(status);
		}

		@GetMapping("/failing/error/{status}")
		void error(@PathVariable int status, HttpServletResponse response) throws IOException {
			response.sendError(status);
		}

		@GetMapping("/failing/unavailable")
		@ResponseStatus(HttpStatus.SERVICE_UNAVAILABLE)
		void unavailable() {
		}

		@GetMapping("/failing/timeout")
		DeferredResult<String> timeout() {
			return new DeferredResult<>(50L);
		}

		@RequestMapping("/gone")
		@ResponseStatus(HttpStatus.GONE)
		String gone() {
			return "gone";
		}

		@Bean
		ErrorPageRegistrar pages() {
			return (registry) -> registry.addErrorPages(new ErrorPage(Paged.class, "/gone"),
					new ErrorPage(HttpStatus.INSUFFICIENT_STORAGE, "/gone"));
		}

		@Bean
		@ConditionalOnProperty(name = "test.server", havingValue = "JETTY")
		JettyServletWebServerFactory jetty() {
			return new JettyServletWebServerFactory();
		}

	}

	@RestController
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	static class Reactive {

		@PreAuthorize("hasRole('ADMIN')")
		@GetMapping("/denied/later")
		Mono<String> later() {
			return Mono.fromFuture(CompletableFuture.supplyAsync(() -> "let in", THREADS));
		}

		@GetMapping("/failing/set/{status}")
		Mono<Void> set(@PathVariable int status, ServerHttpResponse response) {
			response.setStatusCode(HttpStatusCode.valueOf(status));
			return Mono.empty();
		}

	}

	@ResponseStatus(HttpStatus.NOT_FOUND)
	static class NotThere extends Exception {

		private static final long serialVersionUID = 1L;

	}

	/** An exception with its own error page. */
	static class Paged extends Exception {

		private static final long serialVersionUID = 1L;

	}

}
