package dev.ratelimit.http;

import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.cors.UrlBasedCorsConfigurationSource;
import org.springframework.web.filter.CorsFilter;
import org.springframework.web.servlet.config.annotation.CorsRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
class RejectionServletCors implements WebMvcConfigurer {

	@Override
	public void addCorsMappings(CorsRegistry registry) {
		registry.addMapping("/cors/global").combine(RejectionApplication.cors());
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
	SecurityFilterChain chain(HttpSecurity http) throws Exception {
		http.securityMatcher("/cors/chain").cors((cors) -> cors.configurationSource(source("/cors/chain")));
		return http.csrf(AbstractHttpConfigurer::disable).build();
	}

	@Bean
	@Order(2)
	SecurityFilterChain others(HttpSecurity http) throws Exception {
		return http.csrf(AbstractHttpConfigurer::disable).cors(Customizer.withDefaults()).build();
	}

	@Bean
	CorsFilter lastOfAllFilters() {
		return new CorsFilter(source("/cors/filter"));
	}

	@Bean
	FilterRegistrationBean<CorsFilter> firstOfAllFilters() {
		FilterRegistrationBean<CorsFilter> registration = new FilterRegistrationBean<>(
				new CorsFilter(source("/cors/first")));
		registration.setName("first");
		registration.addUrlPatterns("/cors/first");
		registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
		return registration;
	}

	private static UrlBasedCorsConfigurationSource source(String path) {
		UrlBasedCorsConfigurationSource source = new UrlBasedCorsConfigurationSource();
		source.registerCorsConfiguration(path, RejectionApplication.cors());
		return source;
	}

}
