package dev.ratelimit.test;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.http.client.ReactorResourceFactory;

/**
 * Gives each application connections and event loops of its own, where event loops end at
 * once. By default, the first application that closes ends those of all others; and it
 * ends the connections together with the event loops that have to close them, and waits
 * for ever for a connection whose event loop was faster.
 */
@AutoConfiguration
@AutoConfigureOrder(Ordered.HIGHEST_PRECEDENCE)
@ConditionalOnClass(ReactorResourceFactory.class)
@ConditionalOnProperty(name = "reactor.netty.ioShutdownQuietPeriod", havingValue = "0")
public class OwnNettyResources {

	@Bean
	@ConditionalOnMissingBean
	ReactorResourceFactory ownNettyResourceFactory() {
		ReactorResourceFactory resources = new ReactorResourceFactory();
		resources.setUseGlobalResources(false);
		return resources;
	}

}
