package dev.ratelimit.graphql;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.ratelimit.RateLimitContext;
import dev.ratelimit.RateLimited;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.ContextValue;
import org.springframework.graphql.data.method.annotation.MutationMapping;
import org.springframework.graphql.data.method.annotation.QueryMapping;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.graphql.data.method.annotation.SubscriptionMapping;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.stereotype.Controller;

/**
 * An application with a GraphQL schema.
 */
final class Shop {

	private Shop() {
	}

	static UserDetails user(String name) {
		return User.withUsername(name).password("{noop}" + name).authorities("PLAN_" + name).build();
	}

	record Product(String id, String name) {
	}

	record Review(String text, String author) {
	}

	record ProductEdge(Product node) {
	}

	record ProductConnection(List<ProductEdge> edges, List<Product> nodes) {
	}

	/**
	 * The resolvers. They count their calls, and store the name of the calling thread.
	 */
	@Controller
	static class Resolvers {

		private final AtomicInteger calls = new AtomicInteger();

		private volatile String thread = "";

		int calls() {
			return this.calls.get();
		}

		String thread() {
			return this.thread;
		}

		private void called() {
			this.calls.incrementAndGet();
			this.thread = Thread.currentThread().getName();
		}

		@QueryMapping
		Product product(@Argument String id) {
			called();
			return new Product(id, "Product " + id);
		}

		@QueryMapping
		List<Product> products(@Argument Integer first) {
			called();
			return IntStream.range(0, 2).mapToObj((id) -> new Product("" + id, "Product " + id)).toList();
		}

		@SchemaMapping(typeName = "Product")
		List<Product> related(Product product) {
			called();
			return List.of();
		}

		@SchemaMapping(typeName = "Product")
		List<Review> reviews(Product product) {
			called();
			return List.of(new Review("good", "bob"));
		}

		@QueryMapping
		List<Product> catalog() {
			called();
			return List.of();
		}

		@QueryMapping
		ProductConnection search() {
			called();
			return new ProductConnection(List.of(), List.of());
		}

		@QueryMapping
		int stock() {
			called();
			return 5;
		}

		@QueryMapping
		String report() {
			called();
			return "all is well";
		}

		@QueryMapping
		@RateLimited(id = "guarded", key = "global", value = "1/h")
		Mono<String> guarded() {
			called();
			return Mono.just("open");
		}

		@QueryMapping
		boolean degraded(@ContextValue("dev.ratelimit.RateLimitContext") RateLimitContext context) {
			return context.degraded();
		}

		@MutationMapping
		Product order(@Argument String product) {
			called();
			return new Product(product, "Product " + product);
		}

		@MutationMapping
		boolean login() {
			called();
			return false;
		}

		@SubscriptionMapping
		@RateLimited(id = "news", key = "global", value = "1/h")
		Flux<Integer> news() {
			return Flux.just(1);
		}

		@SubscriptionMapping
		Flux<Integer> prices() {
			called();
			return Flux.just(1, 2);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Servlet {

		@Bean
		Resolvers resolvers() {
			return new Resolvers();
		}

		@Bean
		InMemoryUserDetailsManager users() {
			return new InMemoryUserDetailsManager(user("alice"), user("bob"));
		}

		@Bean
		SecurityFilterChain security(HttpSecurity http) {
			return http.csrf(CsrfConfigurer::disable)
				.httpBasic(Customizer.withDefaults())
				.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll())
				.build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Reactive {

		@Bean
		Resolvers resolvers() {
			return new Resolvers();
		}

		@Bean
		MapReactiveUserDetailsService users() {
			return new MapReactiveUserDetailsService(user("alice"), user("bob"));
		}

		@Bean
		SecurityWebFilterChain security(ServerHttpSecurity http) {
			return http.csrf(ServerHttpSecurity.CsrfSpec::disable)
				.httpBasic(Customizer.withDefaults())
				.authorizeExchange((exchanges) -> exchanges.anyExchange().permitAll())
				.build();
		}

	}

}
