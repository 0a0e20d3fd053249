package dev.ratelimit.actuate;

import dev.ratelimit.address.ClientAddresses;
import dev.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.guard.OtherStores;
import dev.ratelimit.store.guard.StoreStatus;
import dev.ratelimit.store.lease.LeaseStatus;
import dev.ratelimit.web.Explainer;

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
 * {@link AutoConfiguration Auto-configuration} of the actuator endpoint.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = RateLimitAutoConfiguration.class)
@ConditionalOnClass({ Endpoint.class, ConditionalOnAvailableEndpoint.class })
@ConditionalOnBean(RateLimitEngine.class)
@ConditionalOnAvailableEndpoint(RateLimitEndpoint.class)
@Import(LiveAccessConfiguration.class)
public final class RateLimitEndpointAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	RateLimitEndpoint rateLimitEndpoint(RateLimitEngine engine, Editions editions, LimitStore store,
			ObjectProvider<StoreStatus> status, ObjectProvider<OtherStores> others, ObjectProvider<LeaseStatus> leases,
			ObjectProvider<EndpointPart> parts, ObjectProvider<Explainer> explainer, LiveAccess access,
			ClientAddresses addresses, ApplicationEventPublisher events) {
		return new RateLimitEndpoint(engine, editions,
				StoreDescription.supplier(store, status.stream().findFirst(),
						others.getIfAvailable(() -> OtherStores.NONE)),
				leases.stream().findFirst(), parts.stream().toList(), explainer.stream().findFirst(), access, addresses,
				events::publishEvent);
	}

}
