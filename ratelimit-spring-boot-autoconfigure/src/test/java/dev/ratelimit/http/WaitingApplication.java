package dev.ratelimit.http;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.ratelimit.RateLimited;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.AuthorizationFilter;
import org.springframework.ui.ModelMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.AsyncWebRequestInterceptor;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * An application with delayed requests. Its custom authentication exists only in the
 * thread, and an interceptor binds a resource to the thread, as open-in-view does.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({ WaitingApplication.Servlets.class, WaitingApplication.Reactive.class, WaitingApplication.Job.class })
class WaitingApplication {

	/**
	 * A bean with methods that wait.
	 */
	static class Job {

		@RateLimited(id = "job", value = "20/s", key = "global", burst = 1, maxWait = "2s")
		long run() {
			return System.nanoTime();
		}

		@RateLimited(id = "drip", value = "20/s", key = "global", burst = 3, algorithm = "leaky-bucket", maxWait = "2s")
		long drip() {
			return System.nanoTime();
		}

		@RateLimited(id = "hourly-drip", value = "1/h", key = "global", burst = 3, algorithm = "leaky-bucket",
				maxWait = "2s")
		Mono<Long> later() {
			return Mono.fromSupplier(System::nanoTime);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	static class Reactive {

		@Bean
		NettyReactiveWebServerFactory netty() {
			return new NettyReactiveWebServerFactory();
		}

		@RestController
		static class ReactiveHandlers {

			private final List<Long> served = new CopyOnWriteArrayList<>();

			@GetMapping({ "/slow", "/crowd" })
			String slow() {
				this.served.add(System.nanoTime());
				return "slow";
			}

		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	static class Servlets {

		@Bean
		Passes passes() {
			return new Passes(new ConcurrentHashMap<>());
		}

		@Bean
		SecurityFilterChain security(HttpSecurity http) throws Exception {
			http.addFilterBefore(new HeaderAuthentication(), AuthorizationFilter.class);
			http.csrf((csrf) -> csrf.ignoringRequestMatchers("/slow/upload"));
			http.authorizeHttpRequests((requests) -> requests.dispatcherTypeMatchers(DispatcherType.ASYNC)
				.permitAll()
				.anyRequest()
				.authenticated());
			return http.build();
		}

		@Bean
		CountingFilter inner(Passes passes) {
			return new CountingFilter(passes);
		}

		@Bean
		WebMvcConfigurer view() {
			return new WebMvcConfigurer() {

				@Override
				public void addInterceptors(InterceptorRegistry registry) {
					registry.addWebRequestInterceptor(new BoundToThread());
				}

			};
		}

		@RestController
		static class Handlers {

			private final List<Long> served = new CopyOnWriteArrayList<>();

			List<Long> served() {
				return this.served;
			}

			@GetMapping({ "/slow", "/crowd", "/early" })
			String slow(HttpServletRequest request) {
				this.served.add(System.nanoTime());
				return "slow for " + request.getRemoteUser();
			}

			@PostMapping("/slow/form")
			String form(@RequestParam String name) {
				return name;
			}

			@PostMapping("/slow/upload")
			String upload(MultipartFile file) throws IOException {
				return file.getOriginalFilename() + " " + file.getSize();
			}

			@GetMapping("/slow/async")
			DeferredResult<String> async() {
				DeferredResult<String> result = new DeferredResult<>();
				new Thread(() -> result.setResult("async")).start();
				return result;
			}

			@GetMapping("/slow/sse")
			SseEmitter sse() {
				SseEmitter emitter = new SseEmitter();
				new Thread(() -> {
					try {
						emitter.send("one");
						emitter.complete();
					}
					catch (IOException ex) {
						emitter.completeWithError(ex);
					}
				}).start();
				return emitter;
			}

		}

	}

	/**
	 * Counts how often each request passed a filter behind the filters of the limiter.
	 *
	 * @param byRequest the counts by the ID of the request
	 */
	record Passes(Map<String, Integer> byRequest) {
	}

	/**
	 * A filter whose authentication is stored only in the security context.
	 */
	static class HeaderAuthentication extends OncePerRequestFilter {

		@Override
		protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
				throws ServletException, IOException {
			String user = request.getHeader("X-User");
			if (user != null) {
				SecurityContextHolder.getContext()
					.setAuthentication(new TestingAuthenticationToken(user, "none", "ROLE_USER"));
			}
			chain.doFilter(request, response);
		}

	}

	static class CountingFilter extends OncePerRequestFilter {

		private final Passes passes;

		CountingFilter(Passes passes) {
			this.passes = passes;
		}

		@Override
		protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
				throws ServletException, IOException {
			this.passes.byRequest().merge(String.valueOf(request.getHeader("X-Id")), 1, Integer::sum);
			chain.doFilter(request, response);
		}

	}

	/**
	 * Binds a resource to the thread, as open-in-view does. Logs an error if the resource
	 * to unbind was not bound.
	 */
	static class BoundToThread implements AsyncWebRequestInterceptor {

		private static final Log logger = LogFactory.getLog(BoundToThread.class);

		private static final ThreadLocal<String> BOUND = new ThreadLocal<>();

		@Override
		public void preHandle(WebRequest request) {
			if (BOUND.get() != null) {
				logger.error("bound already");
			}
			BOUND.set("session");
		}

		@Override
		public void postHandle(WebRequest request, ModelMap model) {
		}

		@Override
		public void afterCompletion(WebRequest request, Exception ex) {
			unbind();
		}

		@Override
		public void afterConcurrentHandlingStarted(WebRequest request) {
			unbind();
		}

		private static void unbind() {
			if (BOUND.get() == null) {
				logger.error("not bound");
			}
			BOUND.remove();
		}

	}

}
