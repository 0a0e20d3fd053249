package dev.ratelimit.envoy;

import dev.ratelimit.autoconfigure.HeaderConfiguration;
import dev.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.gate.PassageObserver;
import dev.ratelimit.web.response.HeaderFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * {@link AutoConfiguration Auto-configuration} of Envoy's rate limit service, which the
 * gRPC server of the application serves.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = RateLimitAutoConfiguration.class,
		afterName = { "dev.ratelimit.web.servlet.RateLimitServletAutoConfiguration",
				"dev.ratelimit.web.reactive.RateLimitWebFluxAutoConfiguration" },
		beforeName = { "org.springframework.boot.grpc.server.autoconfigure.GrpcServerAutoConfiguration",
				"org.springframework.boot.grpc.server.autoconfigure.GrpcServerServicesAutoConfiguration" })
@ConditionalOnBooleanProperty("ratelimit.envoy.enabled")
@ConditionalOnClass(name = { "io.grpc.stub.ServerCalls", "io.grpc.protobuf.ProtoUtils",
		"org.springframework.boot.grpc.server.autoconfigure.GrpcServerAutoConfiguration" })
@ConditionalOnBean(RateLimitEngine.class)
@EnableConfigurationProperties(EnvoyProperties.class)
@Import(HeaderConfiguration.class)
public final class RateLimitEnvoyAutoConfiguration {

	@Bean
	EnvoyRateLimitService rateLimitEnvoyService(RateLimitEngine engine, EnvoyProperties properties,
			HeaderFactory headers, ObjectProvider<PassageObserver> passages) {
		DescriptorGate gate = new DescriptorGate(engine, passages.getIfAvailable(() -> PassageObserver.NONE));
		return new EnvoyRateLimitService(gate, new EnvoyResponses(headers, properties.headers()),
				engine.deadline().toNanos());
	}

}
