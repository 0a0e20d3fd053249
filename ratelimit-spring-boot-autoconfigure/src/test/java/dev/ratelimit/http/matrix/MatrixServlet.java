package dev.ratelimit.http.matrix;

import java.io.IOException;
import java.util.concurrent.Callable;

import dev.ratelimit.RateLimited;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.http.HttpMethod;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.filter.UrlHandlerFilter;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.PathMatchConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Components for servlets only: other dispatches.
 */
@Configuration(proxyBeanMethods = false)
@Import({ MatrixServlet.Dispatching.class, MatrixServlet.Forwarding.class })
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
class MatrixServlet {

	// Runs after all filters.
	@Bean
	WebMvcConfigurer last(Reached reached) {
		HandlerInterceptor interceptor = new HandlerInterceptor() {

			@Override
			public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
				if (request.getDispatcherType() != DispatcherType.ERROR) {
					reached.of(request.getHeader(Reached.CLIENT)).passed();
				}
				return true;
			}

		};
		return new WebMvcConfigurer() {

			@Override
			public void addInterceptors(InterceptorRegistry registry) {
				registry.addInterceptor(interceptor);
			}

		};
	}

	@Bean
	FilterRegistrationBean<Filter> forwardingBefore() {
		return forwarding("X-Forward-Before", Ordered.HIGHEST_PRECEDENCE);
	}

	@Bean
	FilterRegistrationBean<Filter> forwardingBehind() {
		return forwarding("X-Forward-Behind", 0);
	}

	private static FilterRegistrationBean<Filter> forwarding(String header, int order) {
		FilterRegistrationBean<Filter> forwarding = new FilterRegistrationBean<>((request, response, chain) -> {
			String target = ((HttpServletRequest) request).getHeader(header);
			if (target != null) {
				request.getRequestDispatcher(target).forward(request, response);
			}
			else {
				chain.doFilter(request, response);
			}
		});
		forwarding.setName(header);
		forwarding.setOrder(order);
		return forwarding;
	}

	@RestController
	@RateLimited(rule = "annotated")
	static class Dispatching {

		private final Reached reached;

		Dispatching(Reached reached) {
			this.reached = reached;
		}

		private String served(String client, HttpMethod method) {
			this.reached.of(client).served("target", method.name());
			return "target";
		}

		@GetMapping("/target/async/callable")
		Callable<String> callable(@RequestHeader(Reached.CLIENT) String client, HttpMethod method) {
			return () -> served(client, method);
		}

		@GetMapping("/target/async/overdue")
		DeferredResult<String> overdue(@RequestHeader(Reached.CLIENT) String client, HttpMethod method) {
			served(client, method);
			return new DeferredResult<>(1L);
		}

		@GetMapping("/target/error/sent")
		void sent(@RequestHeader(Reached.CLIENT) String client, HttpMethod method, HttpServletResponse response)
				throws IOException {
			served(client, method);
			response.sendError(418);
		}

	}

	@RestController
	static class Forwarding {

		@GetMapping("/forward/target")
		void forward(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
			request.getRequestDispatcher("/target/1").forward(request, response);
		}

		@GetMapping("/include/target")
		void include(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
			request.getRequestDispatcher("/target/1").include(request, response);
		}

	}

	/**
	 * Matches paths without case, and with a trailing slash.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty("test.lenient")
	static class Lenient implements WebMvcConfigurer {

		@Bean
		UrlHandlerFilter slashes() {
			return UrlHandlerFilter.trailingSlashHandler("/**").wrapRequest().build();
		}

		@Override
		public void configurePathMatch(PathMatchConfigurer configurer) {
			PathPatternParser parser = new PathPatternParser();
			parser.setCaseSensitive(false);
			configurer.setPatternParser(parser);
		}

	}

}
