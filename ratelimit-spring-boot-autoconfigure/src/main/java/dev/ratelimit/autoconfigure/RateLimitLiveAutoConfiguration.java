package dev.ratelimit.autoconfigure;

import java.nio.file.Path;
import java.util.Optional;

import dev.ratelimit.base.InstanceName;
import dev.ratelimit.candidate.CandidateStore;
import dev.ratelimit.candidate.LiveCandidate;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.live.EffectiveRules;
import dev.ratelimit.live.FileRuleSource;
import dev.ratelimit.live.InstanceBoard;
import dev.ratelimit.live.InstanceReport;
import dev.ratelimit.live.LiveProperties;
import dev.ratelimit.live.LiveRules;
import dev.ratelimit.live.LiveRulesCheck;
import dev.ratelimit.live.LiveSourceCondition;
import dev.ratelimit.live.LiveThread;
import dev.ratelimit.live.RuleSource;
import dev.ratelimit.live.SwitchesConfiguration;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.Upkeep;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;

/**
 * {@link AutoConfiguration Auto-configuration} of rules that change while the application
 * runs, if there is a source of them.
 *
 * @since 0.2.0
 */
@AutoConfiguration(after = { RateLimitAutoConfiguration.class, RateLimitRedisAutoConfiguration.class,
		RateLimitServletAutoConfiguration.class, RateLimitWebFluxAutoConfiguration.class })
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@ConditionalOnBean(RateLimitEngine.class)
public final class RateLimitLiveAutoConfiguration {

	// Before what follows a source, whichever it is.
	@Order(1)
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnProperty(name = "ratelimit.live.source", havingValue = "file")
	@ConditionalOnMissingBean(RuleSource.class)
	static class WatchedFile {

		@Bean
		FileRuleSource rateLimitFileRuleSource(LiveProperties live, Upkeep upkeep) {
			return new FileRuleSource(Path.of(Optional.ofNullable(live.file()).orElse("")), upkeep);
		}

	}

	@Order(3)
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBean(CandidateStore.class)
	static class Comparing {

		@Bean
		LiveCandidate rateLimitLiveCandidate(CandidateStore store, EffectiveRules rules, RateLimitEngine engine,
				RedisStore redis, LiveThread thread, Upkeep upkeep, Time time) {
			return new LiveCandidate(store, rules, engine, redis.candidate(), thread, upkeep, time);
		}

	}

	@Order(2)
	@Configuration(proxyBeanMethods = false)
	@Conditional(LiveSourceCondition.class)
	@ConditionalOnBean(RuleSource.class)
	@Import({ LiveRulesConfiguration.class, SwitchesConfiguration.class })
	static class Following {

		@Bean
		LiveRules rateLimitLiveRules(RuleSource source, EffectiveRules rules, LiveThread thread, LiveProperties live,
				ApplicationContext context, Time time) {
			return new LiveRules(source, rules, thread, live.settings(), context::publishEvent, time);
		}

		@Bean
		InstanceReport rateLimitInstanceReport(LiveRules rules, InstanceName name, ObjectProvider<InstanceBoard> board,
				ObjectProvider<InstanceCount> count) {
			InstanceCount sharing = count.getIfAvailable(() -> () -> 1);
			return new InstanceReport(name.id(), name.host(), rules, board.stream().findFirst(), sharing::get);
		}

		@Bean
		LiveRulesCheck rateLimitLiveRulesCheck(LiveRules rules) {
			return new LiveRulesCheck(rules);
		}

	}

}
