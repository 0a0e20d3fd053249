package dev.ratelimit.web.grpc;

import java.security.Principal;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import dev.ratelimit.Phase;
import dev.ratelimit.autoconfigure.FrontRoutes;
import dev.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import dev.ratelimit.autoconfigure.StartCheck;
import dev.ratelimit.autoconfigure.WebGateConfiguration;
import dev.ratelimit.autoconfigure.WebStack;
import dev.ratelimit.base.PrincipalAuthorities;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.gate.WaitingThreads;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.web.RequestGate;
import dev.ratelimit.web.response.HeaderFactory;
import dev.ratelimit.web.response.RejectionFactory;
import dev.ratelimit.web.response.Tarpits;
import io.grpc.BindableService;
import io.grpc.ServerBuilder;
import io.grpc.ServerInterceptor;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.grpc.server.GlobalServerInterceptor;
import org.springframework.grpc.server.ServerBuilderCustomizer;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.util.ClassUtils;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * {@link AutoConfiguration Auto-configuration} of limits of gRPC services. A gRPC server
 * within a servlet container is limited by the filters of servlets.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = RateLimitAutoConfiguration.class,
		afterName = { "dev.ratelimit.web.servlet.RateLimitServletAutoConfiguration",
				"dev.ratelimit.web.reactive.RateLimitWebFluxAutoConfiguration",
				"org.springframework.boot.grpc.server.autoconfigure.GrpcServerAutoConfiguration" })
@ConditionalOnBooleanProperty(name = "ratelimit.grpc.enabled", matchIfMissing = true)
@ConditionalOnClass(name = { "io.grpc.BindableService", "io.grpc.protobuf.ProtoUtils",
		"org.springframework.grpc.server.GlobalServerInterceptor",
		"org.springframework.boot.grpc.server.autoconfigure.GrpcServerAutoConfiguration" })
@ConditionalOnBean(type = { "dev.ratelimit.engine.RateLimitEngine", "io.grpc.BindableService" })
@ConditionalOnMissingBean(type = "org.springframework.boot.grpc.server.GrpcServletRegistration")
@EnableConfigurationProperties(GrpcProperties.class)
public final class RateLimitGrpcAutoConfiguration {

	private static final String AUTHENTICATION = "org.springframework.grpc.server.security.AuthenticationProcessInterceptor";

	/**
	 * Configuration of the interceptors.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(name = "org.springframework.web.util.pattern.PathPattern")
	@Import(WithoutWeb.class)
	static class Interceptors {

		private static final boolean SECURITY = ClassUtils.isPresent(
				"org.springframework.security.core.context.SecurityContextHolder",
				RateLimitGrpcAutoConfiguration.class.getClassLoader());

		@Bean
		GrpcMethods rateLimitGrpcMethods(ObjectProvider<BindableService> services) {
			return new GrpcMethods(services::orderedStream);
		}

		@Bean
		FrontRoutes rateLimitGrpcRoutes(GrpcMethods methods, ListableBeanFactory beans) {
			return new FrontRoutes(methods::routes, isAuthenticated(beans));
		}

		private static boolean isAuthenticated(ListableBeanFactory beans) {
			return ClassUtils.isPresent(AUTHENTICATION, null) && beans
				.getBeanNamesForType(ClassUtils.resolveClassName(AUTHENTICATION, null), true, false).length > 0;
		}

		@Bean
		GrpcServer rateLimitGrpcServer(RequestGate gate, HeaderFactory headers, RejectionFactory rejections,
				Tarpits tarpits, GrpcMethods methods, GrpcProperties properties) {
			return new GrpcServer(gate, headers, new GrpcRejections(rejections, tarpits), methods,
					new WaitingThreads(properties.maxWaiting()));
		}

		@Bean
		<T extends ServerBuilder<T>> ServerBuilderCustomizer<T> rateLimitGrpcServerCustomizer(GrpcServer server) {
			return (builder) -> builder.intercept(new GrpcCallWatcher(server));
		}

		@Bean
		@GlobalServerInterceptor
		ServerInterceptor rateLimitEarlyGrpcInterceptor(GrpcServer server) {
			return new GrpcRateLimitInterceptor(Phase.EARLY, server, Optional::empty);
		}

		@Bean
		@GlobalServerInterceptor
		ServerInterceptor rateLimitLateGrpcInterceptor(GrpcServer server) {
			Supplier<Optional<Principal>> principal = (SECURITY) ? SecurityPrincipal::find : Optional::empty;
			return new GrpcRateLimitInterceptor(Phase.LATE, server, principal);
		}

	}

	/**
	 * Configuration of the gate, if there is no web application.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnMissingBean(WebStack.class)
	@Import(WebGateConfiguration.class)
	static class WithoutWeb {

		@Bean
		WebStack rateLimitGrpcStack() {
			return new WebStack(List::of, () -> false, "", () -> PathPatternParser.defaultInstance, false,
					(request) -> CompletableFuture.completedFuture(Optional.empty()));
		}

	}

	/**
	 * Rejects rules that cannot be applied.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnMissingClass("org.springframework.web.util.pattern.PathPattern")
	static class WithoutPaths {

		@Bean
		StartCheck rateLimitGrpcCheck(RateLimitEngine engine) {
			Editions editions = engine.editions();
			return () -> editions.addCheck((set) -> set.rules().values().forEach(WithoutPaths::requireNoPaths));
		}

		private static void requireNoPaths(Rule rule) {
			if (!rule.match().paths().isEmpty()) {
				throw new InvalidRuleException(rule.location() + ".paths", rule.match().paths().toString(),
						"paths of gRPC calls require 'spring-web', which is not on the classpath",
						"Add 'org.springframework:spring-web'.");
			}
		}

	}

	/**
	 * Loaded only if Spring Security is on the class path.
	 */
	private static final class SecurityPrincipal {

		static Optional<Principal> find() {
			return PrincipalAuthorities.authenticated(SecurityContextHolder.getContext().getAuthentication());
		}

	}

}
