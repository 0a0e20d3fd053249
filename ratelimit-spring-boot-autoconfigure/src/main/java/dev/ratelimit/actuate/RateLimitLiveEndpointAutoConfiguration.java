package dev.ratelimit.actuate;

import dev.ratelimit.address.ClientAddresses;
import dev.ratelimit.base.FailureStatus;
import dev.ratelimit.engine.RateLimitEngine;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * {@link AutoConfiguration Auto-configuration} of the actuator endpoint that changes
 * rules and sets switches. Its resources are beans of the capabilities.
 *
 * @since 0.1.0
 */
@AutoConfiguration(afterName = "dev.ratelimit.autoconfigure.RateLimitAutoConfiguration")
@ConditionalOnClass({ Endpoint.class, ConditionalOnAvailableEndpoint.class })
@ConditionalOnBean(RateLimitEngine.class)
@ConditionalOnAvailableEndpoint(RateLimitLiveEndpoint.class)
@Import({ LiveAccessConfiguration.class, EditConfiguration.class })
public final class RateLimitLiveEndpointAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	RateLimitLiveEndpoint rateLimitLiveEndpoint(ObjectProvider<LiveResource> resources, LiveAccess access,
			ObjectProvider<FailureStatus<?>> failures) {
		return new RateLimitLiveEndpoint(resources.stream().toList(), access, failures.stream().toList());
	}

	@Bean
	static KnownParameters rateLimitLiveKnownParameters() {
		return new KnownParameters();
	}

	@Bean
	LiveSubjectResource rateLimitLiveSubjectResource(RateLimitEngine engine, ObjectProvider<SubjectBlocks> blocks,
			ClientAddresses addresses, ApplicationEventPublisher events) {
		return new LiveSubjectResource(engine, blocks.orderedStream().toList(), addresses, events);
	}

}
