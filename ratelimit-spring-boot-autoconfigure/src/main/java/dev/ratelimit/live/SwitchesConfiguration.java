package dev.ratelimit.live;

import java.util.Optional;

import dev.ratelimit.base.WallClock;
import dev.ratelimit.engine.Editions;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Switches of rules. Imported by each auto-configuration of a component that shows or
 * sets them.
 */
@Configuration(proxyBeanMethods = false)
final class SwitchesConfiguration {

	@Bean
	Switches rateLimitSwitches(ObjectProvider<SwitchStore> store, Editions editions, LiveThread thread,
			ObjectProvider<WallClock> clock) {
		Optional<SwitchStore> shared = store.stream().findFirst();
		return new Switches(
				shared.orElseGet(() -> new InstanceSwitches(clock.getIfAvailable(WallClock::system).source())),
				shared.isPresent(), editions, thread);
	}

	@Bean
	LiveLifecycle rateLimitLiveLifecycle(ObjectProvider<LiveRules> rules, Switches switches, LiveThread thread,
			ObjectProvider<InstanceReport> report, ObjectProvider<EffectiveRules> effective) {
		return new LiveLifecycle(rules.stream().findFirst(), switches, report.stream().findFirst(), thread,
				effective.stream().findFirst());
	}

	@Bean
	SwitchCheck rateLimitSwitchCheck(Switches switches) {
		return new SwitchCheck(switches);
	}

}
