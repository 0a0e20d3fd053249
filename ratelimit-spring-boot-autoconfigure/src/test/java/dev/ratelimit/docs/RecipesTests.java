package dev.ratelimit.docs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.KeyResolver;
import dev.ratelimit.http.HttpProbe;
import dev.ratelimit.test.PlainPasswords;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.oauth2.core.DefaultOAuth2AuthenticatedPrincipal;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.www.BasicAuthenticationFilter;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.filter.OncePerRequestFilter;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Sends the requests of each recipe to a server with the configuration of the recipe.
 */
@Tag("long")
class RecipesTests {

	private static final Pattern LINE = Pattern.compile("([A-Z]+) (\\S+)(?: as (\\w+)(?: of (\\w+))?)?"
			+ "(?: from ([0-9.]+))?(?: with (.+?))?(, at once)?: ([0-9× ,]+)");

	/**
	 * The recipe in which the application sends the requests, and the application itself.
	 */
	private static final Set<String> WITHOUT_REQUESTS = Set.of("The API of a partner", "An application to try them");

	static Stream<Recipe> recipes() {
		return Stream.of(MarkdownPage.of("docs/recipes.md").text().split("(?m)^## "))
			.skip(1)
			.map(Recipe::of)
			.filter((recipe) -> !WITHOUT_REQUESTS.contains(recipe.name()));
	}

	@ParameterizedTest
	@MethodSource("recipes")
	void clientsGetWhatTheRecipeSays(Recipe recipe) throws Exception {
		try (ConfigurableApplicationContext application = recipe.start()) {
			HttpProbe probe = new HttpProbe(
					application.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
			for (String line : recipe.requests()) {
				Matcher parts = LINE.matcher(line);
				assertThat(parts.matches()).as(line).isTrue();
				List<Integer> expected = statuses(parts.group(8));
				List<Integer> sent = (parts.group(7) != null)
						? together(probe, parts, expected, application.getBean(Handlers.class))
						: expected.stream().map((status) -> send(probe, parts)).toList();
				assertThat(sent).as(line).isEqualTo(expected);
			}
		}
	}

	@Test
	void eachRecipeIsShortAndHasRequests() {
		assertThat(recipes()).hasSizeGreaterThan(15).allSatisfy((recipe) -> {
			assertThat(recipe.yaml().lines()).hasSizeLessThanOrEqualTo(12);
			assertThat(recipe.requests()).isNotEmpty();
		});
	}

	private static List<Integer> statuses(String text) {
		List<Integer> statuses = new ArrayList<>();
		for (String part : text.split(",")) {
			String[] times = part.trim().split(" × ");
			int count = (times.length > 1) ? Integer.parseInt(times[0]) : 1;
			IntStream.range(0, count).forEach((i) -> statuses.add(Integer.valueOf(times[times.length - 1])));
		}
		return statuses;
	}

	private static int send(HttpProbe probe, Matcher parts) {
		List<String> headers = new ArrayList<>();
		if (parts.group(3) != null) {
			headers.addAll(List.of(HttpHeaders.AUTHORIZATION, HttpProbe
				.basic(parts.group(3) + ((parts.group(4) != null) ? "." + parts.group(4) : ""), "secret")));
		}
		if (parts.group(5) != null) {
			headers.addAll(List.of("X-Forwarded-For", parts.group(5)));
		}
		String with = parts.group(6);
		if (with != null && with.contains("=")) {
			headers.addAll(List.of(HttpHeaders.CONTENT_TYPE, "application/x-www-form-urlencoded"));
			return probe.send(parts.group(1), parts.group(2), with, headers.toArray(String[]::new)).statusCode();
		}
		if (with != null) {
			headers.addAll(Arrays.asList(with.split(": ", 2)));
		}
		return probe.send(parts.group(1), parts.group(2), headers.toArray(String[]::new)).statusCode();
	}

	// Hold the allowed requests in the handler until the rejected requests have
	// responses.
	private static List<Integer> together(HttpProbe probe, Matcher parts, List<Integer> expected, Handlers handlers)
			throws InterruptedException, ExecutionException, TimeoutException {
		int allowed = (int) expected.stream().filter((status) -> status == 200).count();
		handlers.hold();
		ExecutorService clients = Executors.newCachedThreadPool();
		try {
			List<CompletableFuture<Integer>> held = IntStream.range(0, allowed)
				.mapToObj((i) -> CompletableFuture.supplyAsync(() -> send(probe, parts), clients))
				.toList();
			assertThat(handlers.arrived.tryAcquire(allowed, 30, TimeUnit.SECONDS)).isTrue();
			List<Integer> rejected = IntStream.range(allowed, expected.size())
				.mapToObj((i) -> send(probe, parts))
				.toList();
			handlers.release.countDown();
			List<Integer> statuses = new ArrayList<>();
			for (CompletableFuture<Integer> response : held) {
				statuses.add(response.get(30, TimeUnit.SECONDS));
			}
			statuses.addAll(rejected);
			return statuses;
		}
		finally {
			handlers.release.countDown();
			clients.shutdownNow();
		}
	}

	/**
	 * A section of the page.
	 *
	 * @param name the heading
	 * @param yaml the configuration
	 * @param requests the requests and the expected responses
	 */
	record Recipe(String name, String yaml, List<String> requests) {

		private static final Pattern BLOCK = Pattern.compile("(?ms)^```(yaml|java)?\\n(.*?)^```$");

		static Recipe of(String section) {
			String yaml = "";
			List<String> requests = new ArrayList<>();
			Matcher block = BLOCK.matcher(section);
			while (block.find()) {
				if ("yaml".equals(block.group(1))) {
					yaml = block.group(2);
				}
				else if (block.group(1) == null) {
					block.group(2).lines().forEach(requests::add);
				}
			}
			return new Recipe(section.substring(0, section.indexOf('\n')), yaml, requests);
		}

		ConfigurableApplicationContext start() throws IOException {
			// The requests come from this machine instead of the proxies of the recipe.
			String local = this.yaml.replace("trusted-proxies: [", "trusted-proxies: [loopback, ");
			List<PropertySource<?>> sources = new YamlPropertySourceLoader().load("recipe",
					new ByteArrayResource(local.getBytes(StandardCharsets.UTF_8)));
			String trusted = (this.yaml.contains("client-address")) ? "" : "loopback";
			return new SpringApplicationBuilder(RecipeApplication.class).web(WebApplicationType.SERVLET)
				.initializers((context) -> sources.forEach(context.getEnvironment().getPropertySources()::addFirst))
				.properties("server.port=0", "spring.main.banner-mode=off", "management.health.redis.enabled=false",
						(trusted.isEmpty()) ? "recipe=true" : "ratelimit.client-address.trusted-proxies=" + trusted)
				.run();
		}

		@Override
		public String toString() {
			return this.name;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Handlers.class, PlainPasswords.class })
	static class RecipeApplication {

		@Bean
		KeyResolver tenant() {
			return KeyResolver
				.withoutPrincipal((request) -> request.header("X-Tenant").map((tenant) -> tenant.split("-", 2)[0]));
		}

		// A dot in the user name separates the name from an authority.
		@Bean
		UserDetailsService users() {
			return (name) -> User.withUsername(name)
				.password("{noop}secret")
				.authorities((name.contains(".")) ? name.substring(name.indexOf('.') + 1) : "USER")
				.build();
		}

		@Bean
		SecurityFilterChain security(HttpSecurity http) throws Exception {
			return http.csrf(AbstractHttpConfigurer::disable)
				.httpBasic(Customizer.withDefaults())
				.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll())
				.addFilterBefore(new Tokens(), BasicAuthenticationFilter.class)
				.build();
		}

	}

	/**
	 * Replaces a resource server. The part of the token before the dot is the value of
	 * the claims 'tenant' and 'plan'.
	 */
	private static final class Tokens extends OncePerRequestFilter {

		@Override
		protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
				throws ServletException, IOException {
			String header = request.getHeader(HttpHeaders.AUTHORIZATION);
			if (header != null && header.startsWith("Bearer ")) {
				String[] token = header.substring("Bearer ".length()).split("\\.");
				Collection<GrantedAuthority> authorities = AuthorityUtils.createAuthorityList("SCOPE_api");
				TestingAuthenticationToken authentication = new TestingAuthenticationToken(
						new DefaultOAuth2AuthenticatedPrincipal(token[1], Map.of("tenant", token[0], "plan", token[0]),
								authorities),
						"", List.copyOf(authorities));
				SecurityContextHolder.getContext().setAuthentication(authentication);
			}
			chain.doFilter(request, response);
		}

	}

	@RestController
	static class Handlers {

		private static final Set<String> PASSWORDS = Set.of("right");

		final Semaphore arrived = new Semaphore(0);

		volatile CountDownLatch release = new CountDownLatch(0);

		void hold() {
			this.release = new CountDownLatch(1);
		}

		@RequestMapping({ "/api/orders", "/api/codes", "/api/files" })
		String orders() {
			return "orders";
		}

		@GetMapping({ "/api/search", "/api/status", "/static/{file}" })
		String other() {
			return "other";
		}

		@GetMapping("/api/export")
		String export() throws InterruptedException {
			this.arrived.release();
			return String.valueOf(this.release.await(30, TimeUnit.SECONDS));
		}

		@PostMapping("/login")
		ResponseEntity<String> login(@RequestParam String username,
				@RequestParam(defaultValue = "wrong") String password) {
			return ResponseEntity.status((PASSWORDS.contains(password)) ? 200 : 401).body(username);
		}

	}

}
