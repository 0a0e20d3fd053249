package dev.ratelimit.web.grpc;

import dev.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import dev.ratelimit.autoconfigure.RateLimitTimeAutoConfiguration;
import dev.ratelimit.web.RequestGate;
import io.grpc.BindableService;
import io.grpc.ServerInterceptor;
import io.grpc.protobuf.ProtoUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.grpc.server.autoconfigure.GrpcServerAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.grpc.server.GlobalServerInterceptor;
import org.springframework.web.util.pattern.PathPattern;

import static org.assertj.core.api.Assertions.assertThat;

class RateLimitGrpcAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RateLimitTimeAutoConfiguration.class, RateLimitAutoConfiguration.class,
				RateLimitGrpcAutoConfiguration.class))
		.withPropertyValues("ratelimit.store=memory", "ratelimit.rules.all.paths=/**", "ratelimit.rules.all.limit=5/h");

	private final ApplicationContextRunner services = this.runner.withBean(BindableService.class, GreeterService::new);

	@Test
	void thereIsNothingWithoutServices() {
		this.runner.run((context) -> assertThat(context).hasNotFailed()
			.doesNotHaveBean(ServerInterceptor.class)
			.doesNotHaveBean(RequestGate.class));
	}

	@Test
	void servicesHaveTwoInterceptorsAndAGate() {
		this.services.run((context) -> {
			assertThat(context).hasSingleBean(RequestGate.class);
			assertThat(context.getBeansOfType(ServerInterceptor.class)).hasSize(2);
		});
	}

	@ParameterizedTest
	@ValueSource(classes = { GlobalServerInterceptor.class, ProtoUtils.class, GrpcServerAutoConfiguration.class })
	void thereIsNothingWithoutAServer(Class<?> missing) {
		this.services.withClassLoader(new FilteredClassLoader(missing))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ServerInterceptor.class));
	}

	@Test
	void pathsRequireSpringWeb() {
		this.services.withClassLoader(new FilteredClassLoader(PathPattern.class))
			.run((context) -> assertThat(context).getFailure()
				.hasMessage("ratelimit.rules.all.paths = '[/**]': paths of gRPC calls require 'spring-web', which is"
						+ " not on the classpath"));
	}

}
