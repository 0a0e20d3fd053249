package dev.ratelimit.live.edit;

import dev.ratelimit.actuate.RateLimitLiveEndpoint;
import dev.ratelimit.base.Namespaces;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.engine.RateLimitEngine;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * {@link AutoConfiguration Auto-configuration} of edits of live rules by the endpoint.
 *
 * @since 0.1.0
 */
@AutoConfiguration(afterName = "dev.ratelimit.live.RateLimitLiveAutoConfiguration")
@ConditionalOnClass({ Endpoint.class, ConditionalOnAvailableEndpoint.class })
@ConditionalOnBean(RateLimitEngine.class)
@ConditionalOnAvailableEndpoint(RateLimitLiveEndpoint.class)
@Import(RuleEditingConfiguration.class)
public final class RateLimitLiveEditAutoConfiguration {

	@Bean
	LiveRulesResource rateLimitLiveRulesResource(RuleEditor editor, Editions editions, Namespaces namespaces) {
		return new LiveRulesResource(editor, editions, namespaces);
	}

	@Bean
	LiveVersionsResource rateLimitLiveVersionsResource(RuleEditor editor) {
		return new LiveVersionsResource(editor);
	}

}
