package dev.ratelimit.test;

import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.crypto.password.DelegatingPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * Stores passwords as plain text. Otherwise, Spring Security hashes {@code {noop}}
 * passwords with bcrypt: at each login to a reactive application, and at the first login
 * to an application with an {@code InMemoryUserDetailsManager}, which compares hashes at
 * later logins. Each hash takes a tenth of a second.
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
