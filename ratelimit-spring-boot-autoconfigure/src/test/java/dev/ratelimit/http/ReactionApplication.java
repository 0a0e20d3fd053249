package dev.ratelimit.http;

import dev.ratelimit.RateLimitContext;
import dev.ratelimit.RateLimited;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * The application whose rules do not reject requests immediately.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({ ReactionApplication.Handlers.class, ReactionApplication.Quotes.class, ReactionApplication.Quoting.class,
		ContractServletSecurity.class, ContractReactiveSecurity.class })
class ReactionApplication {

	@RestController
	static class Handlers {

		@GetMapping({ "/degraded", "/degraded/both" })
		String degraded(RateLimitContext limits) {
			return (limits.degraded()) ? "less" : "all";
		}

		@GetMapping({ "/banning", "/marking/plain" })
		String marked(RateLimitContext limits) {
			return (limits.marked()) ? "marked" : "plain";
		}

		@GetMapping({ "/login/{status}", "/secured/banning" })
		ResponseEntity<String> login(@PathVariable(required = false) Integer status) {
			return ResponseEntity.status((status != null) ? status : 200).body("answered");
		}

	}

	@Service
	static class Quotes {

		@RateLimited(rule = "banning-quotes")
		Mono<String> later() {
			return Mono.just("quoted");
		}

		@RateLimited(rule = "banning-quotes")
		String now() {
			return "quoted";
		}

		static Authentication token(String user) {
			return new TestingAuthenticationToken(user, "", "ROLE_USER");
		}

	}

	@RestController
	static class Quoting {

		private final Quotes quotes;

		Quoting(Quotes quotes) {
			this.quotes = quotes;
		}

		@GetMapping("/quotes/later")
		Mono<String> later(@RequestParam String who) {
			return this.quotes.later()
				.contextWrite(ReactiveSecurityContextHolder.withAuthentication(Quotes.token(who)));
		}

		@GetMapping("/quotes/now")
		String now(@RequestParam String who) {
			SecurityContextHolder.setContext(new SecurityContextImpl(Quotes.token(who)));
			return this.quotes.now();
		}

	}

}
