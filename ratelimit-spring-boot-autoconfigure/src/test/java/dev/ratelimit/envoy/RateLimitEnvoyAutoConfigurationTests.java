package dev.ratelimit.envoy;

import dev.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import dev.ratelimit.autoconfigure.RateLimitTimeAutoConfiguration;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.web.response.HeaderFactory;
import io.grpc.BindableService;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ServerCalls;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.grpc.server.autoconfigure.GrpcServerAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class RateLimitEnvoyAutoConfigurationTests {

	private static final String[] RULE = { "ratelimit.rules.user.descriptor.domain=edge",
			"ratelimit.rules.user.descriptor.entries=user", "ratelimit.rules.user.limit=5/h" };

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RateLimitTimeAutoConfiguration.class, RateLimitAutoConfiguration.class,
				RateLimitEnvoyAutoConfiguration.class))
		.withPropertyValues("ratelimit.store=memory");

	@Test
	void thereIsNothingByDefault() {
		this.runner.run((context) -> assertThat(context).hasNotFailed()
			.doesNotHaveBean(BindableService.class)
			.doesNotHaveBean(HeaderFactory.class));
	}

	@Test
	void theServiceIsThereIfItIsEnabled() {
		this.runner.withPropertyValues("ratelimit.envoy.enabled=true").withPropertyValues(RULE).run((context) -> {
			assertThat(context).hasSingleBean(EnvoyRateLimitService.class);
			assertThat(context.getBean(EnvoyRateLimitService.class).bindService().getServiceDescriptor().getName())
				.isEqualTo("envoy.service.ratelimit.v3.RateLimitService");
			assertThat(context.getBean(Editions.class).current().compiled()).containsKey("user");
		});
	}

	@Test
	void aDescriptorNeedsTheService() {
		this.runner.withPropertyValues(RULE)
			.run((context) -> assertThat(context).getFailure()
				.hasMessage("ratelimit.rules.user.descriptor = 'edge: user': no front evaluates 'descriptor'"));
	}

	@ParameterizedTest
	@ValueSource(classes = { ServerCalls.class, ProtoUtils.class, GrpcServerAutoConfiguration.class })
	void withoutAServerTheStartFails(Class<?> missing) {
		this.runner.withPropertyValues("ratelimit.envoy.enabled=true")
			.withClassLoader(new FilteredClassLoader(missing))
			.run((context) -> assertThat(context).getFailure()
				.hasMessage("ratelimit.envoy.enabled = 'true': this application cannot receive calls of Envoy"));
	}

	@Test
	void withoutAServerNothingElseChanges() {
		this.runner
			.withClassLoader(new FilteredClassLoader("io.grpc", "com.google.protobuf", "org.springframework.grpc",
					"org.springframework.boot.grpc"))
			.withPropertyValues("ratelimit.rules.code.limit=5/h", "ratelimit.rules.code.programmatic=true")
			.run((context) -> assertThat(context).hasNotFailed());
	}

}
