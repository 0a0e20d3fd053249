package dev.ratelimit.http.matrix;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * The applications under test.
 */
final class MatrixApplication {

	private static final String SECURITY = "org.springframework.boot.security.autoconfigure.";

	private MatrixApplication() {
	}

	/**
	 * Without Spring Security.
	 */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration(excludeName = { SECURITY + "SecurityAutoConfiguration",
			SECURITY + "UserDetailsServiceAutoConfiguration", SECURITY + "ReactiveUserDetailsServiceAutoConfiguration",
			SECURITY + "actuate.web.reactive.ReactiveManagementWebSecurityAutoConfiguration",
			SECURITY + "actuate.web.servlet.ManagementWebSecurityAutoConfiguration",
			SECURITY + "web.reactive.ReactiveWebSecurityAutoConfiguration",
			SECURITY + "web.servlet.SecurityFilterAutoConfiguration",
			SECURITY + "web.servlet.ServletWebSecurityAutoConfiguration" })
	@Import({ MatrixHandlers.class, MatrixServlet.class, MatrixWebFlux.class })
	static class Open {

	}

	/**
	 * With Basic authentication.
	 */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ MatrixHandlers.class, MatrixServlet.class, MatrixWebFlux.class, MatrixServletSecurity.class,
			MatrixWebFluxSecurity.class })
	static class Secured {

	}

}
