package dev.ratelimit.http;

import dev.ratelimit.RateLimitContext;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/**
 * The application whose rules do other things than to reject at once.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({ ReactionApplication.Handlers.class, ContractServletSecurity.class, ContractReactiveSecurity.class })
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

}
