package dev.ratelimit.benchmarks.http;

import java.util.function.BiConsumer;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.server.WebFilter;

/**
 * Writes as many fields, as long ones, as the limiter does, and limits nothing: what no
 * limiter that tells its clients as much can undercut.
 */
final class FieldsAlone {

	private static final String PROPERTY = "benchmark.fields-alone";

	private static final String LIMIT = "100000000";

	private FieldsAlone() {
	}

	private static void write(BiConsumer<String, String> fields) {
		long seconds = System.currentTimeMillis() / 1000;
		String remaining = Long.toString(99_000_000 + seconds % 999_999);
		fields.accept("RateLimit-Policy", "\"hello\";q=" + LIMIT + ";w=60");
		fields.accept("RateLimit", "\"hello\";r=" + remaining + ";t=1");
		fields.accept("X-RateLimit-Limit", LIMIT);
		fields.accept("X-RateLimit-Remaining", remaining);
		fields.accept("X-RateLimit-Reset", Long.toString(seconds));
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnProperty(PROPERTY)
	@ConditionalOnWebApplication(type = Type.SERVLET)
	static class Servlet {

		@Bean
		Filter fieldsFilter() {
			return (request, response, chain) -> {
				write(((HttpServletResponse) response)::setHeader);
				chain.doFilter(request, response);
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnProperty(PROPERTY)
	@ConditionalOnWebApplication(type = Type.REACTIVE)
	static class Reactive {

		@Bean
		WebFilter fieldsFilter() {
			return (exchange, chain) -> {
				write(exchange.getResponse().getHeaders()::set);
				return chain.filter(exchange);
			};
		}

	}

}
