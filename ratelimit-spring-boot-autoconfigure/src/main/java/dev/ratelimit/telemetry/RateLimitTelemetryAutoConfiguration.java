package dev.ratelimit.telemetry;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

import dev.ratelimit.DecisionEventSink;
import dev.ratelimit.actuate.RateLimitLiveEndpoint;
import dev.ratelimit.address.ClientAddresses;
import dev.ratelimit.autoconfigure.KeyPrefix;
import dev.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import dev.ratelimit.autoconfigure.RateLimitProperties;
import dev.ratelimit.autoconfigure.StartCheck;
import dev.ratelimit.base.StoreConfigurationException;
import dev.ratelimit.base.WallClock;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.Upkeep;
import dev.ratelimit.store.redis.RedisConnector;
import dev.ratelimit.store.redis.RejectionCounts;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * {@link AutoConfiguration Auto-configuration} of the reports on subjects and decisions.
 * It has no effect unless it is enabled.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = RateLimitAutoConfiguration.class,
		afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@EnableConfigurationProperties({ TelemetryProperties.class, EventsProperties.class })
public final class RateLimitTelemetryAutoConfiguration {

	@Order(1)
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBean(RateLimitEngine.class)
	@Conditional(Wanted.class)
	static class Naming {

		@Bean
		SubjectNaming rateLimitSubjectNaming(TelemetryProperties telemetry, RateLimitProperties properties,
				ObjectProvider<SharedKey> shared) {
			if (telemetry.subjects() == TelemetryProperties.Subjects.PLAIN) {
				return SubjectNaming.of(SubjectNames.PLAIN);
			}
			String secret = properties.secret();
			return (secret != null && !secret.isEmpty())
					? SubjectNaming.of(SubjectNames.hashed(secret.getBytes(StandardCharsets.UTF_8)))
					: SubjectNaming.random(shared.getIfAvailable(() -> SharedKey.OWN));
		}

	}

	@Order(1)
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(name = "io.lettuce.core.RedisClient")
	@ConditionalOnBean({ RateLimitEngine.class, RedisConnector.class })
	@Conditional(Wanted.class)
	static class InRedis {

		@Bean
		RedisTopStore rateLimitRedisTopStore(RedisConnector connector, RateLimitProperties properties,
				Environment environment) {
			return new RedisTopStore(new RejectionCounts(connector, KeyPrefix.of(properties, environment)));
		}

	}

	@Order(1)
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBean(RateLimitEngine.class)
	@ConditionalOnBooleanProperty("ratelimit.telemetry.top")
	static class Top {

		@Bean
		RejectedSubjects rateLimitRejectedSubjects(ObjectProvider<TopStore> shared, SubjectNaming naming,
				ObjectProvider<WallClock> clock) {
			return new RejectedSubjects(shared.getIfAvailable(MemoryTopStore::new), naming,
					clock.getIfAvailable(WallClock::system).source());
		}

		@Bean
		TopSubjects rateLimitTopSubjects(RejectedSubjects rejected) {
			return rejected.top();
		}

		@Bean
		RejectedSubjectsUpkeep rateLimitRejectedSubjectsUpkeep(RejectedSubjects subjects, Upkeep upkeep) {
			return new RejectedSubjectsUpkeep(subjects, upkeep);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty("ratelimit.events.stream.enabled")
	@ConditionalOnMissingBean(name = { "rateLimitEventStream", "testLimitStore" })
	static class WithoutStream {

		@Bean
		StartCheck rateLimitEventStreamCheck() {
			return () -> {
				throw new StoreConfigurationException(
						"'ratelimit.events.stream.enabled' is true, but the store is not Redis.",
						"Configure a connection to Redis, such as 'ratelimit.redis.host', or remove the property.");
			};
		}

	}

	@Order(1)
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBean({ RateLimitEngine.class, DecisionEventSink.class })
	static class Events {

		@Bean
		EventPump rateLimitEventPump(ObjectProvider<DecisionEventSink> sinks, SubjectNaming naming, Time time) {
			List<DecisionEventSink> ordered = sinks.orderedStream().toList();
			return new EventPump(ordered, UUID.randomUUID().toString(), naming, time::nanos);
		}

		@Bean
		EventCounts rateLimitEventCounts(EventPump pump) {
			return pump.counts();
		}

		@Bean
		DecisionEvents rateLimitDecisionEvents(EventsProperties events, EventPump pump, Editions editions,
				ObjectProvider<WallClock> clock, Time time) {
			return new DecisionEvents(new EventSample(events.allowed(), events.rejected(), events.maxPerSecond()), pump,
					editions, clock.getIfAvailable(WallClock::system).source(), time::nanos);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	@ConditionalOnBean({ EventCounts.class, MeterRegistry.class })
	static class Meters {

		@Bean
		@ConditionalOnMissingBean
		DecisionEventMetrics rateLimitDecisionEventMetrics(EventCounts counts) {
			return new DecisionEventMetrics(counts);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ Endpoint.class, ConditionalOnAvailableEndpoint.class })
	@ConditionalOnBean(TopSubjects.class)
	@ConditionalOnAvailableEndpoint(RateLimitLiveEndpoint.class)
	static class Live {

		@Bean
		LiveTopResource rateLimitLiveTopResource(TopSubjects subjects, ClientAddresses addresses) {
			return new LiveTopResource(subjects, addresses);
		}

	}

	/**
	 * Matches if subjects are counted, or events are sent.
	 */
	static final class Wanted extends AnyNestedCondition {

		Wanted() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		@ConditionalOnBooleanProperty("ratelimit.telemetry.top")
		static final class Top {

		}

		@ConditionalOnBean(DecisionEventSink.class)
		static final class Sink {

		}

	}

}
