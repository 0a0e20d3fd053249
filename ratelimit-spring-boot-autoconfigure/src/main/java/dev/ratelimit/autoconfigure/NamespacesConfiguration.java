package dev.ratelimit.autoconfigure;

import dev.ratelimit.base.NamespaceProperties;
import dev.ratelimit.base.Namespaces;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The rules that teams may change.
 */
@Configuration(proxyBeanMethods = false)
final class NamespacesConfiguration {

	@Bean
	Namespaces rateLimitNamespaces(RateLimitProperties properties) {
		return NamespaceProperties.all(properties.namespaces());
	}

}
