package dev.ratelimit.autoconfigure;

import java.util.Locale;
import java.util.stream.Collectors;

import dev.ratelimit.autoconfigure.RateLimitProperties.Idempotency;
import dev.ratelimit.web.IdempotencyKeys;

import org.springframework.core.env.Environment;

/**
 * What both stacks take from the properties.
 */
final class WebSettings {

	private static final int SECURITY_ORDER = -100;

	private WebSettings() {
	}

	static IdempotencyKeys idempotencyKeys(RateLimitProperties properties) {
		Idempotency idempotency = properties.idempotency();
		return new IdempotencyKeys(idempotency.methods()
			.stream()
			.map((method) -> method.toUpperCase(Locale.ROOT))
			.collect(Collectors.toUnmodifiableSet()), idempotency.syntax() == Idempotency.Syntax.STRICT);
	}

	static int securityOrder(Environment environment) {
		return environment.getProperty("spring.security.filter.order", Integer.class, SECURITY_ORDER);
	}

}
