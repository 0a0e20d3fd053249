package dev.ratelimit.web.grpc;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

import com.google.protobuf.StringValue;
import com.nimbusds.jose.jwk.source.ImmutableSecret;
import dev.ratelimit.RateLimited;
import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.grpc.server.GlobalServerInterceptor;
import org.springframework.grpc.server.security.AuthenticationProcessInterceptor;
import org.springframework.grpc.server.security.GrpcSecurity;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.oauth2.jose.jws.MacAlgorithm;
import org.springframework.security.oauth2.jwt.JwsHeader;
import org.springframework.security.oauth2.jwt.JwtClaimsSet;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtEncoderParameters;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.oauth2.jwt.NimbusJwtEncoder;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests calls of gRPC services by users with tokens. Some calls require a permission that
 * the users lack.
 */
class GrpcSecurityTests {

	private static final SecretKey SECRET = new SecretKeySpec(
			"a secret of the tests, 32 bytes long".getBytes(StandardCharsets.UTF_8), "HmacSHA256");

	private static ConfigurableApplicationContext start(String... properties) {
		List<String> arguments = new ArrayList<>(List.of("--spring.main.banner-mode=off", "--spring.grpc.server.port=0",
				"--ratelimit.store=memory", "--management.health.redis.enabled=false"));
		Stream.of(properties).forEach((property) -> arguments.add("--ratelimit." + property));
		return new SpringApplicationBuilder(Tokens.class).web(WebApplicationType.NONE)
			.run(arguments.toArray(String[]::new));
	}

	private static String token(String user, String tenant, String scope) {
		JwtClaimsSet claims = JwtClaimsSet.builder()
			.subject(user)
			.claim("tenant", tenant)
			.claim("scope", scope)
			.expiresAt(Instant.now().plusSeconds(600))
			.build();
		return "Bearer " + new NimbusJwtEncoder(new ImmutableSecret<>(SECRET))
			.encode(JwtEncoderParameters.from(JwsHeader.with(MacAlgorithm.HS256).build(), claims))
			.getTokenValue();
	}

	@Test
	void claimsOfTokensAreKeys() {
		try (ConfigurableApplicationContext application = start("rules.tenant=/demo.v1.Greeter/** 2/h per claim:tenant",
				"rules.user=/demo.v1.Greeter/** 10/h per user"); GrpcProbe client = new GrpcProbe(application)) {
			assertThat(client.codes(1, GreeterService.HELLO, "authorization", token("alice", "acme", "")))
				.containsExactly(Status.Code.OK);
			GrpcProbe.Result second = client.call(GreeterService.HELLO, "", "authorization", token("bob", "acme", ""));
			assertThat(second.header("ratelimit"))
				.hasValueSatisfying((field) -> assertThat(field).contains("\"tenant\";r=0").contains("\"user\";r=9"));
			assertThat(client.codes(1, GreeterService.HELLO, "authorization", token("alice", "acme", "")))
				.containsExactly(Status.Code.RESOURCE_EXHAUSTED);
			assertThat(client.codes(1, GreeterService.HELLO, "authorization", token("alice", "other", "")))
				.containsExactly(Status.Code.OK);
		}
	}

	@Test
	void clientsWhoseTokensAreInvalidAreBanned() {
		try (ConfigurableApplicationContext application = start("rules.login.paths=/demo.v1.Greeter/**",
				"rules.login.key=ip", "rules.login.limit=2/h", "rules.login.count-only.status=401",
				"rules.login.ban.after=2", "rules.login.ban.within=1h", "rules.login.ban.for=1h");
				GrpcProbe client = new GrpcProbe(application)) {
			assertThat(client.codes(2, GreeterService.HELLO, "authorization", "Bearer wrong"))
				.containsOnly(Status.Code.UNAUTHENTICATED);
			assertThat(client.codes(2, GreeterService.HELLO, "authorization", "Bearer wrong"))
				.doesNotContain(Status.Code.UNAUTHENTICATED);
			GrpcProbe.Result banned = client.call(GreeterService.HELLO, "", "authorization", token("alice", "a", ""));
			assertThat(banned.status().getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
			assertThat(banned.trailer("retry-after"))
				.hasValueSatisfying((seconds) -> assertThat(Long.parseLong(seconds)).isBetween(3500L, 3600L));
		}
	}

	@Test
	void aCallThatIsDeniedByAnAnnotationCountsAsForbidden() {
		try (ConfigurableApplicationContext application = start("rules.denied.paths=/demo.v1.Reports/**",
				"rules.denied.key=user", "rules.denied.limit=2/h", "rules.denied.count-only.status=403");
				GrpcProbe client = new GrpcProbe(application)) {
			String admin = token("root", "a", "reports");
			assertThat(client.codes(3, ReportsService.MAKE, "authorization", admin)).containsExactly(Status.Code.OK,
					Status.Code.OK, Status.Code.RESOURCE_EXHAUSTED);
			String alice = token("alice", "a", "");
			assertThat(client.codes(3, ReportsService.MAKE, "authorization", alice)).containsExactly(
					Status.Code.PERMISSION_DENIED, Status.Code.PERMISSION_DENIED, Status.Code.RESOURCE_EXHAUSTED);
		}
	}

	/**
	 * A service that is bound by generated code, so that a proxy intercepts its calls.
	 */
	public static class ReportsService implements BindableService {

		static final MethodDescriptor<StringValue, StringValue> MAKE = GreeterService.HELLO.toBuilder()
			.setFullMethodName("demo.v1.Reports/Make")
			.build();

		@Override
		public final ServerServiceDefinition bindService() {
			return ServerServiceDefinition.builder("demo.v1.Reports")
				.addMethod(MAKE, ServerCalls.asyncUnaryCall(this::make))
				.build();
		}

		@PreAuthorize("hasAuthority('SCOPE_reports')")
		@RateLimited(id = "reports", value = "2/h", key = "user")
		public void make(StringValue name, StreamObserver<StringValue> observer) {
			observer.onNext(name);
			observer.onCompleted();
		}

	}

	/** An application whose users have tokens. */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableMethodSecurity(proxyTargetClass = true)
	static class Tokens {

		@Bean
		GreeterService greeter() {
			return new GreeterService();
		}

		@Bean
		ReportsService reports() {
			return new ReportsService();
		}

		@Bean
		JwtDecoder decoder() {
			return NimbusJwtDecoder.withSecretKey(SECRET).build();
		}

		@Bean
		@GlobalServerInterceptor
		AuthenticationProcessInterceptor authentication(GrpcSecurity grpc) throws Exception {
			return grpc.authorizeRequests((requests) -> requests.allRequests().authenticated())
				.oauth2ResourceServer((tokens) -> tokens.jwt((jwt) -> {
				}))
				.build();
		}

	}

}
