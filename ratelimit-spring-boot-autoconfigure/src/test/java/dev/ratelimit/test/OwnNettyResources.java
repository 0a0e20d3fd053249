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
 * Gives each application its own connections and its own event loops, which stop
 * immediately. By default, the first application that closes stops the connections and
 * event loops of all applications. It stops both at once, although event loops must close
 * the connections, and waits forever for a connection whose event loop has already
 * stopped.
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
