package dev.ratelimit.connection;

import java.util.UUID;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

@Tag("long")
class JettyEventsTests implements EventsContract {

	private static ConfigurableApplicationContext application;

	private final String client = UUID.randomUUID().toString();

	@BeforeAll
	static void start() {
		application = new SpringApplicationBuilder(Application.class).web(WebApplicationType.SERVLET)
			.run(EventsContract.rules());
	}

	@AfterAll
	static void stop() {
		application.close();
	}

	@Override
	public ConfigurableApplicationContext application() {
		return application;
	}

	@Override
	public String client() {
		return this.client;
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Events.class)
	static class Application {

		@Bean
		MovedTime time() {
			return new MovedTime();
		}

		@Bean
		JettyServletWebServerFactory jetty() {
			return new JettyServletWebServerFactory();
		}

		@Bean
		SecurityFilterChain open(HttpSecurity http) {
			return http.build();
		}

	}

}
