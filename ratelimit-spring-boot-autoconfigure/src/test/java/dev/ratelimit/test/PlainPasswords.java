package dev.ratelimit.test;

import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.crypto.password.DelegatingPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * Keeps passwords as they are. Spring Security hashes {@code {noop}} passwords with
 * bcrypt otherwise: at each login to a reactive application, and at the first login to
 * one with an {@code InMemoryUserDetailsManager}, whose other logins then compare hashes.
 * That takes a tenth of a second each time.
 */
@Configuration(proxyBeanMethods = false)
public class PlainPasswords {

	@Bean
	PasswordEncoder passwordEncoder() {
		return new DelegatingPasswordEncoder("noop", Map.of("noop", new Plain()));
	}

	private static final class Plain implements PasswordEncoder {

		@Override
		public @Nullable String encode(@Nullable CharSequence rawPassword) {
			return (rawPassword != null) ? rawPassword.toString() : null;
		}

		@Override
		public boolean matches(@Nullable CharSequence rawPassword, @Nullable String encodedPassword) {
			return rawPassword != null && encodedPassword != null && encodedPassword.contentEquals(rawPassword);
		}

	}

}
