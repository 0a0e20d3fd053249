package dev.ratelimit.http;

import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.util.matcher.PathPatternParserServerWebExchangeMatcher;
import org.springframework.web.cors.reactive.CorsWebFilter;
import org.springframework.web.cors.reactive.UrlBasedCorsConfigurationSource;
import org.springframework.web.reactive.config.CorsRegistry;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.server.WebFilter;

@Configuration(proxyBeanMethods = false)
@EnableWebFluxSecurity
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
class RejectionReactiveCors implements WebFluxConfigurer {

	@Override
	public void addCorsMappings(CorsRegistry registry) {
		registry.addMapping("/cors/global").combine(RejectionApplication.cors());
	}

	@Bean
	NettyReactiveWebServerFactory netty() {
		return new NettyReactiveWebServerFactory();
	}

	@Bean
	UrlBasedCorsConfigurationSource corsConfigurationSource() {
		UrlBasedCorsConfigurationSource source = source("/cors/source");
		source.registerCorsConfiguration("/cors/credentials", RejectionApplication.corsWithCredentials());
		source.registerCorsConfiguration("/cors/contradictory", RejectionApplication.corsOfOthers());
		return source;
	}

	@Bean
	@Order(1)
	SecurityWebFilterChain chain(ServerHttpSecurity http) {
		http.securityMatcher(new PathPatternParserServerWebExchangeMatcher("/cors/chain"))
			.cors((cors) -> cors.configurationSource(source("/cors/chain")));
		return http.csrf(ServerHttpSecurity.CsrfSpec::disable).build();
	}

	@Bean
	@Order(2)
	SecurityWebFilterChain others(ServerHttpSecurity http) {
		return http.csrf(ServerHttpSecurity.CsrfSpec::disable).cors(Customizer.withDefaults()).build();
	}

	@Bean
	@Order(Ordered.LOWEST_PRECEDENCE)
	CorsWebFilter lastOfAllFilters() {
		return new CorsWebFilter(source("/cors/filter"));
	}

	@Bean
	@Order(Ordered.HIGHEST_PRECEDENCE)
	WebFilter firstOfAllFilters() {
		CorsWebFilter cors = new CorsWebFilter(source("/cors/first"));
		return (exchange, chain) -> (exchange.getRequest().getPath().value().equals("/cors/first"))
				? cors.filter(exchange, chain) : chain.filter(exchange);
	}

	private static UrlBasedCorsConfigurationSource source(String path) {
		UrlBasedCorsConfigurationSource source = new UrlBasedCorsConfigurationSource();
		source.registerCorsConfiguration(path, RejectionApplication.cors());
		return source;
	}

}
