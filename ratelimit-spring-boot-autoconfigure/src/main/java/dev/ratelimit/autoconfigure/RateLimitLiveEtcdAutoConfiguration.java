package dev.ratelimit.autoconfigure;

import dev.ratelimit.live.EtcdRuleSource;
import dev.ratelimit.live.LiveProperties;
import dev.ratelimit.live.RuleSource;
import dev.ratelimit.store.Upkeep;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;

/**
 * {@link AutoConfiguration Auto-configuration} of live rules in etcd.
 *
 * @since 0.2.0
 */
@AutoConfiguration(after = RateLimitTimeAutoConfiguration.class, before = RateLimitLiveAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@ConditionalOnProperty(name = "ratelimit.live.source", havingValue = "etcd")
public final class RateLimitLiveEtcdAutoConfiguration {

	@Bean(destroyMethod = "close")
	@ConditionalOnMissingBean(RuleSource.class)
	EtcdRuleSource rateLimitEtcdRuleSource(LiveProperties live, ObjectProvider<SslBundles> bundles, Upkeep upkeep) {
		return new EtcdRuleSource(live.etcd().settings(bundles.getIfAvailable()), upkeep);
	}

}
