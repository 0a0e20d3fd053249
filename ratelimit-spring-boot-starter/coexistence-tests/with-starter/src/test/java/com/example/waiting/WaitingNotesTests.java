package com.example.waiting;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import com.example.notes.NoteRepository;
import com.example.notes.NotesApplication;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.orm.jpa.support.OpenEntityManagerInViewInterceptor;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.AuthorizationFilter;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.filter.OncePerRequestFilter;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests waiting requests in an application with JPA sessions that stay open for the view,
 * and with an authentication that is only on the thread.
 */
@ExtendWith(OutputCaptureExtension.class)
class WaitingNotesTests {

	private static final HttpClient CLIENT = HttpClient.newHttpClient();

	@Test
	void requestsThatWaitAreServedLikeOthers(CapturedOutput output) {
		try (ConfigurableApplicationContext context = start()) {
			assertThat(context.getBeansOfType(OpenEntityManagerInViewInterceptor.class)).hasSize(1);
			int port = context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
			for (String path : List.of("/notes?text=a", "/later")) {
				long begin = System.nanoTime();
				assertThat(together(port, path, "alice")).containsOnly("200 0");
				assertThat(System.nanoTime() - begin).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(3 * 50));
			}
			assertThat(together(port, "/later", "")).containsOnly("403 ");
		}
		assertThat(output).doesNotContain("ERROR");
	}

	private static List<String> together(int port, String path, String user) {
		List<CompletableFuture<String>> sent = IntStream.range(0, 5).mapToObj((i) -> send(port, path, user)).toList();
		return sent.stream().map(CompletableFuture::join).toList();
	}

	private static CompletableFuture<String> send(int port, String path, String user) {
		HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
			.header("X-User", user)
			.build();
		return CLIENT.sendAsync(request, HttpResponse.BodyHandlers.ofString())
			.thenApply((response) -> response.statusCode() + " "
					+ ((response.statusCode() == 200) ? response.body() : ""));
	}

	private static ConfigurableApplicationContext start() {
		return new SpringApplicationBuilder(NotesApplication.class, Guarded.class)
			.properties("server.port=0", "ratelimit.store=memory", "ratelimit.rules.slow.paths=/**",
					"ratelimit.rules.slow.key=global", "ratelimit.rules.slow.limit=20/s",
					"ratelimit.rules.slow.burst=1", "ratelimit.rules.slow.wait=5s")
			.run();
	}

	/**
	 * The security configuration of the application, and a further handler.
	 */
	static class Guarded {

		@Bean
		SecurityFilterChain security(HttpSecurity http) throws Exception {
			http.addFilterBefore(new HeaderAuthentication(), AuthorizationFilter.class);
			// An asynchronous request is authorized when it begins, and not again when it
			// ends.
			http.authorizeHttpRequests((requests) -> requests.dispatcherTypeMatchers(DispatcherType.ASYNC)
				.permitAll()
				.anyRequest()
				.authenticated());
			return http.build();
		}

		@Bean
		Later later(NoteRepository notes) {
			return new Later(notes);
		}

	}

	@RestController
	static class Later {

		private final NoteRepository notes;

		Later(NoteRepository notes) {
			this.notes = notes;
		}

		@GetMapping("/later")
		CompletableFuture<Long> later() {
			return CompletableFuture.supplyAsync(this.notes::count);
		}

	}

	/**
	 * A filter that stores the authentication only in the security context.
	 */
	static class HeaderAuthentication extends OncePerRequestFilter {

		@Override
		protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
				throws ServletException, IOException {
			String user = request.getHeader("X-User");
			if (user != null && !user.isEmpty()) {
				SecurityContextHolder.getContext()
					.setAuthentication(new TestingAuthenticationToken(user, "none", "ROLE_USER"));
			}
			chain.doFilter(request, response);
		}

	}

}
