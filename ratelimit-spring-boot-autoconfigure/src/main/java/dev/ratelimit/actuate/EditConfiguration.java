package dev.ratelimit.actuate;

import dev.ratelimit.autoconfigure.RateLimitProperties;
import dev.ratelimit.base.NamespaceProperties;
import dev.ratelimit.base.Namespaces;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Internal: the rules that teams may change, and the audit log of changes. Imported by
 * each auto-configuration of an endpoint that changes rules.
 */
@Configuration(proxyBeanMethods = false)
public final class EditConfiguration {

	@Bean
	Namespaces rateLimitNamespaces(RateLimitProperties properties) {
		return NamespaceProperties.all(properties.namespaces());
	}

	/**
	 * Configuration with an audit log.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(name = "org.springframework.boot.actuate.audit.AuditEvent")
	static class Audited {

		@Bean
		@ConditionalOnMissingBean
		EditAudit rateLimitEditAudit(ApplicationContext context) {
			return new EditAudit(context);
		}

	}

}
