package dev.ratelimit.benchmarks.http;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The filter for servlet stacks. If Redis does not respond, the request is allowed and is
 * not counted.
 */
final class ServletLimiter implements Filter {

	private static final int TOO_MANY_REQUESTS = 429;

	private final Buckets buckets;

	private final Fields fields;

	ServletLimiter(Buckets buckets, Fields fields) {
		this.buckets = buckets;
		this.fields = fields;
	}

	@Override
	public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
			throws IOException, ServletException {
		if (isAllowed(request, (HttpServletResponse) response)) {
			chain.doFilter(request, response);
		}
	}

	private boolean isAllowed(ServletRequest request, HttpServletResponse response) throws IOException {
		try {
			long lacking = this.buckets.charge(request.getRemoteAddr()).get(1, TimeUnit.SECONDS);
			if (lacking >= 0) {
				this.fields.allowed(lacking, response::setHeader);
				return true;
			}
			reject(-lacking, response);
			return false;
		}
		catch (ExecutionException | TimeoutException ex) {
			return true;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return true;
		}
	}

	private void reject(long lacking, HttpServletResponse response) throws IOException {
		response.setStatus(TOO_MANY_REQUESTS);
		this.fields.rejected(lacking, response::setHeader);
		response.setContentType("application/problem+json");
		response.getWriter().write(HandWritten.BODY);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnProperty(HandWritten.PROPERTY)
	@ConditionalOnWebApplication(type = Type.SERVLET)
	static class Registration {

		@Bean
		FilterRegistrationBean<Filter> limiter(Buckets buckets, Fields fields) {
			FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(
					new ServletLimiter(buckets, fields));
			registration.addUrlPatterns("/hello");
			return registration;
		}

	}

}
