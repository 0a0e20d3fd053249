package dev.ratelimit.connection;

import dev.ratelimit.store.Time;
import dev.ratelimit.store.Upkeep;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Configuration of the slots of connections, on both stacks.
 */
@Configuration(proxyBeanMethods = false)
class ConnectionSlotsConfiguration {

	@Bean
	ConnectionSlots rateLimitConnectionSlots(Time time, Upkeep upkeep) {
		return new ConnectionSlots(time, upkeep);
	}

	@Bean
	UnclaimedConnectionsCheck rateLimitUnclaimedConnectionsCheck(ConnectionSlots slots) {
		return new UnclaimedConnectionsCheck(slots::neverClaimed);
	}

}
