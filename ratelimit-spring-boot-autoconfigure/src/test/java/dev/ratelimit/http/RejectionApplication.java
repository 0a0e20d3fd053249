package dev.ratelimit.http;

import java.util.List;

import dev.ratelimit.ExposedHeaders;
import dev.ratelimit.RateLimitRejectionHandler;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.CrossOrigin;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.cors.CorsConfiguration;

/**
 * The application whose rejections are the same on both stacks. Each path below
 * {@code /cors} has its CORS configuration in a different location.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({ RejectionApplication.Handlers.class, RejectionServletCors.class, RejectionReactiveCors.class })
class RejectionApplication {

	static final String ALLOWED = "https://app.example.org";

	/** The origin pattern of pages on this machine, with any port. */
	static final String LOCAL = "http://localhost:[*]";

	static CorsConfiguration cors() {
		CorsConfiguration cors = new CorsConfiguration();
		cors.setAllowedOriginPatterns(List.of(ALLOWED, LOCAL));
		cors.setAllowedMethods(List.of("GET", "HEAD"));
		cors.setAllowedHeaders(List.of("X-Own"));
		cors.setExposedHeaders(ExposedHeaders.NAMES);
		return cors;
	}

	static CorsConfiguration corsWithCredentials() {
		CorsConfiguration cors = cors();
		cors.setAllowCredentials(true);
		return cors;
	}

	static CorsConfiguration corsOfOthers() {
		CorsConfiguration cors = cors();
		cors.setAllowedOriginPatterns(List.of("https://other.example.org"));
		return cors;
	}

	@Bean
	RateLimitRejectionHandler rejections() {
		return (rejection, request) -> switch (request.path()) {
			case "/own/text" -> rejection.withStatus(420)
				.withHeader("X-Own", request.query())
				.withBody("text/plain;charset=UTF-8", "später");
			case "/own/nothing" -> rejection.withBody("text/plain", "");
			case "/own/fails" -> throw new IllegalStateException("on purpose");
			default -> rejection;
		};
	}

	@RestController
	static class Handlers {

		@CrossOrigin(originPatterns = { ALLOWED, LOCAL }, exposedHeaders = "X-Own")
		@GetMapping({ "/cors/annotated", "/cors/contradictory" })
		String annotated() {
			return "annotated";
		}

		@CrossOrigin(originPatterns = { ALLOWED, LOCAL }, allowCredentials = "true")
		@GetMapping("/cors/late")
		String late() {
			return "late";
		}

		@GetMapping({ "/cors/global", "/cors/source", "/cors/credentials", "/cors/chain", "/cors/filter", "/cors/first",
				"/cors/none", "/words", "/own/{what}", "/status/{status}" })
		String get() {
			return "ok";
		}

	}

}
