package dev.ratelimit.envoy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ratelimit.RateLimiter;
import io.envoyproxy.envoy.config.core.v3.HeaderValue;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.RateLimit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests decisions of the Envoy rate limit service over gRPC, for each kind of store.
 */
abstract class EnvoyServiceContract {

	private static final int UINT32_MAX = -1;

	/**
	 * Return the properties of the store.
	 * @return the properties
	 */
	abstract List<String> store();

	private ConfigurableApplicationContext start(String... rules) {
		List<String> arguments = new ArrayList<>(store());
		arguments.addAll(List.of("--spring.main.banner-mode=off", "--spring.grpc.server.port=0",
				"--ratelimit.envoy.enabled=true", "--management.health.redis.enabled=false"));
		Stream.of(rules).forEach((rule) -> arguments.add("--ratelimit.rules." + rule));
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.run(arguments.toArray(String[]::new));
	}

	private static String[] user(String limit) {
		return new String[] { "user.descriptor.domain=edge", "user.descriptor.entries=plan=free,user",
				"user.limit=" + limit };
	}

	@Test
	void eachUserHasALimit() {
		try (ConfigurableApplicationContext application = start(user("3/h"));
				EnvoyProbe envoy = EnvoyProbe.of(application)) {
			assertThat(envoy.codes(4, "plan=free;user=bob")).containsExactly(Code.OK, Code.OK, Code.OK,
					Code.OVER_LIMIT);
			assertThat(envoy.call("plan=free;user=alice").getOverallCode()).isEqualTo(Code.OK);
			assertThat(envoy.codes(5, "plan=pro;user=bob")).containsOnly(Code.OK);
		}
	}

	@Test
	void theStatusHasTheLimitThatBinds() {
		try (ConfigurableApplicationContext application = start("user.descriptor.domain=edge",
				"user.descriptor.entries=user", "user.limits[0]=5/min", "user.limits[1]=3/h");
				EnvoyProbe envoy = EnvoyProbe.of(application)) {
			DescriptorStatus status = envoy.call("user=bob").getStatuses(0);
			assertThat(status.getCode()).isEqualTo(Code.OK);
			assertThat(status.getCurrentLimit()).returns("user", RateLimit::getName)
				.returns(3, RateLimit::getRequestsPerUnit)
				.returns(RateLimit.Unit.HOUR, RateLimit::getUnit);
			assertThat(status.getLimitRemaining()).isEqualTo(2);
			assertThat(status.getDurationUntilReset().getSeconds()).isBetween(1L, 1200L);
			envoy.codes(2, "user=bob");
			DescriptorStatus rejected = envoy.call("user=bob").getStatuses(0);
			assertThat(rejected.getCode()).isEqualTo(Code.OVER_LIMIT);
			assertThat(rejected.getLimitRemaining()).isZero();
			assertThat(rejected.getDurationUntilReset().getSeconds()).isBetween(1100L, 1200L);
		}
	}

	@Test
	void allDescriptorsAreChargedOrNone() {
		try (ConfigurableApplicationContext application = start("user.descriptor.domain=edge",
				"user.descriptor.entries=user", "user.limit=1/h", "path.descriptor.domain=edge",
				"path.descriptor.entries=path", "path.limit=3/h"); EnvoyProbe envoy = EnvoyProbe.of(application)) {
			assertThat(both(envoy).getOverallCode()).isEqualTo(Code.OK);
			RateLimitResponse rejected = both(envoy);
			assertThat(rejected.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
			assertThat(rejected.getStatusesList()).extracting(DescriptorStatus::getCode)
				.containsExactly(Code.OK, Code.OVER_LIMIT);
			assertThat(envoy.codes(3, "path=/a")).containsExactly(Code.OK, Code.OK, Code.OVER_LIMIT);
		}
	}

	private static RateLimitResponse both(EnvoyProbe envoy) {
		return envoy.call((request) -> request.addDescriptors(EnvoyProbe.descriptor("path=/a"))
			.addDescriptors(EnvoyProbe.descriptor("user=bob")));
	}

	@Test
	void hitsAreTheDescriptorsOrTheCallsAndAtLeastOne() {
		try (ConfigurableApplicationContext application = start("user.descriptor.domain=edge",
				"user.descriptor.entries=user", "user.limit=20/h", "user.cost=2");
				EnvoyProbe envoy = EnvoyProbe.of(application)) {
			assertThat(remaining(envoy, 0)).isEqualTo(18);
			assertThat(remaining(envoy, 3)).isEqualTo(12);
			assertThat(envoy
				.call((request) -> request.setHitsAddend(7).addDescriptors(EnvoyProbe.descriptor("user=bob", 2)))
				.getStatuses(0)
				.getLimitRemaining()).isEqualTo(8);
			RateLimitResponse twice = envoy.call((request) -> request.addDescriptors(EnvoyProbe.descriptor("user=bob"))
				.addDescriptors(EnvoyProbe.descriptor("user=bob")));
			assertThat(twice.getStatusesList()).extracting(DescriptorStatus::getLimitRemaining).containsExactly(4, 4);
			assertThat(
					envoy.call((request) -> request.setHitsAddend(-1).addDescriptors(EnvoyProbe.descriptor("user=bob")))
						.getOverallCode())
				.isEqualTo(Code.OVER_LIMIT);
		}
	}

	private static int remaining(EnvoyProbe envoy, int hits) {
		return envoy.call((request) -> request.setHitsAddend(hits).addDescriptors(EnvoyProbe.descriptor("user=bob")))
			.getStatuses(0)
			.getLimitRemaining();
	}

	@Test
	void zeroHitsAskWhetherAnythingIsLeftAndChargeNothing() {
		try (ConfigurableApplicationContext application = start("user.descriptor.domain=edge",
				"user.descriptor.entries=user", "user.limit=2/h", "path.descriptor.domain=edge",
				"path.descriptor.entries=path", "path.limit=2/h"); EnvoyProbe envoy = EnvoyProbe.of(application)) {
			assertThat(ask(envoy, "user=bob").getOverallCode()).isEqualTo(Code.OK);
			assertThat(ask(envoy, "user=bob").getStatuses(0).getLimitRemaining()).isEqualTo(2);
			envoy.codes(2, "user=bob");
			RateLimitResponse exhausted = envoy
				.call((request) -> request.addDescriptors(EnvoyProbe.descriptor("path=/a"))
					.addDescriptors(EnvoyProbe.descriptor("user=bob", 0)));
			assertThat(exhausted.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
			assertThat(exhausted.getStatuses(1).getDurationUntilReset().getSeconds()).isPositive();
			Awaitility.await()
				.untilAsserted(() -> assertThat(ask(envoy, "path=/a").getStatuses(0).getLimitRemaining())
					.as("the other descriptor was not charged")
					.isEqualTo(2));
		}
	}

	private static RateLimitResponse ask(EnvoyProbe envoy, String entries) {
		return envoy.call((request) -> request.addDescriptors(EnvoyProbe.descriptor(entries, 0)));
	}

	@Test
	void usageThatIsReportedBecomesDebt() {
		try (ConfigurableApplicationContext application = start("tokens.descriptor.domain=edge",
				"tokens.descriptor.entries=user", "tokens.limit=1000/h");
				EnvoyProbe envoy = EnvoyProbe.of(application)) {
			assertThat(report(envoy, 900)).isEqualTo(Code.OK);
			assertThat(report(envoy, 400)).isEqualTo(Code.OVER_LIMIT);
			// The response to the report does not wait for the debt. Before the debt is
			// charged, a call would still get units.
			Awaitility.await()
				.untilAsserted(() -> assertThat(ask(envoy, "user=bob").getStatuses(0).getLimitRemaining()).isZero());
			// With 1,300 of 1,000 units used, more than 300 must be refilled before a
			// unit is free.
			assertThat(envoy.call("user=bob").getStatuses(0).getDurationUntilReset().getSeconds()).isBetween(1000L,
					1084L);
		}
	}

	@Test
	void onlyReportedUsageIsChargedIfTheCallIsRejected() {
		try (ConfigurableApplicationContext application = start("tokens.descriptor.domain=edge",
				"tokens.descriptor.entries=user", "tokens.limit=1000/365d");
				EnvoyProbe envoy = EnvoyProbe.of(application)) {
			assertThat(report(envoy, 900)).isEqualTo(Code.OK);
			RateLimitResponse rejected = envoy
				.call((request) -> request.addDescriptors(EnvoyProbe.descriptor("user=bob", 50))
					.setHitsAddend(400)
					.addDescriptors(EnvoyProbe.descriptor("user=bob")));
			assertThat(rejected.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
			Awaitility.await()
				.untilAsserted(
						() -> assertThat(ask(envoy, "user=bob").getStatuses(0).getLimitRemaining()).isEqualTo(50));
		}
	}

	private static Code report(EnvoyProbe envoy, long used) {
		return envoy.call((request) -> request.addDescriptors(EnvoyProbe.descriptor("user=bob", used)))
			.getOverallCode();
	}

	@Test
	void aRuleThatOnlyCountsAllowsAndAnUnlimitedOneHasNoNumber() {
		try (ConfigurableApplicationContext application = start("shadow.descriptor.domain=edge",
				"shadow.descriptor.entries=user", "shadow.limit=1/h", "shadow.mode=shadow",
				"free.descriptor.domain=edge", "free.descriptor.entries=path=/free", "free.limit=unlimited",
				"none.descriptor.domain=edge", "none.descriptor.entries=path=/none", "none.limit=0/h");
				EnvoyProbe envoy = EnvoyProbe.of(application)) {
			assertThat(envoy.codes(3, "user=bob")).containsOnly(Code.OK);
			assertThat(envoy.call("user=bob").getStatuses(0).getLimitRemaining()).isZero();
			assertThat(envoy.call("path=/free").getStatuses(0)).returns(UINT32_MAX, DescriptorStatus::getLimitRemaining)
				.returns(false, DescriptorStatus::hasCurrentLimit);
			assertThat(envoy.call("path=/none").getStatuses(0)).returns(Code.OVER_LIMIT, DescriptorStatus::getCode)
				.returns(0, DescriptorStatus::getLimitRemaining);
			assertThat(envoy.call("other=x").getStatuses(0)).returns(Code.OK, DescriptorStatus::getCode)
				.returns(false, DescriptorStatus::hasCurrentLimit);
		}
	}

	@Test
	void aSubjectThatIsPausedIsOverTheLimit() {
		try (ConfigurableApplicationContext application = start("user.descriptor.domain=edge",
				"user.descriptor.entries=user", "user.limit=5/h", "ban.paths=/**", "ban.limit=5/h", "ban.key=user",
				"ban.ban.after=5"); EnvoyProbe envoy = EnvoyProbe.of(application)) {
			application.getBean(RateLimiter.class).pause("user", "entry:bob", Duration.ofMinutes(1)).block();
			RateLimitResponse response = both(envoy);
			assertThat(response.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
			assertThat(response.getStatuses(1).getCode()).isEqualTo(Code.OVER_LIMIT);
			assertThat(response.getStatuses(1).getDurationUntilReset().getSeconds()).isBetween(50L, 60L);
			assertThat(response.getStatuses(0).getCode()).isEqualTo(Code.OK);
			RateLimitResponse ofOneRule = envoy
				.call((request) -> request.addDescriptors(EnvoyProbe.descriptor("user=ann"))
					.addDescriptors(EnvoyProbe.descriptor("user=bob")));
			assertThat(ofOneRule.getStatusesList()).extracting(DescriptorStatus::getCode)
				.containsExactly(Code.OK, Code.OVER_LIMIT);
		}
	}

	@Test
	void aRuleReplacesOthersWithinACall() {
		try (ConfigurableApplicationContext application = start("user.descriptor.domain=edge",
				"user.descriptor.entries=user", "user.limit=1/h", "vip.descriptor.domain=edge",
				"vip.descriptor.entries=vip", "vip.limit=100/h", "vip.replaces=user");
				EnvoyProbe envoy = EnvoyProbe.of(application)) {
			for (int i = 0; i < 3; i++) {
				RateLimitResponse response = envoy
					.call((request) -> request.addDescriptors(EnvoyProbe.descriptor("user=bob"))
						.addDescriptors(EnvoyProbe.descriptor("vip=yes")));
				assertThat(response.getOverallCode()).isEqualTo(Code.OK);
				assertThat(response.getStatuses(0).hasCurrentLimit()).isFalse();
			}
			assertThat(envoy.codes(2, "user=bob")).containsExactly(Code.OK, Code.OVER_LIMIT);
		}
	}

	@Test
	void aRuleThatDoesNotEnforceReplacesNoOther() {
		try (ConfigurableApplicationContext application = start("user.descriptor.domain=edge",
				"user.descriptor.entries=user", "user.limit=1/h", "vip.descriptor.domain=edge",
				"vip.descriptor.entries=vip", "vip.limit=100/h", "vip.replaces=user", "vip.mode=shadow");
				EnvoyProbe envoy = EnvoyProbe.of(application)) {
			for (Code code : List.of(Code.OK, Code.OVER_LIMIT)) {
				RateLimitResponse response = envoy
					.call((request) -> request.addDescriptors(EnvoyProbe.descriptor("user=bob"))
						.addDescriptors(EnvoyProbe.descriptor("vip=yes")));
				assertThat(response.getOverallCode()).isEqualTo(code);
			}
		}
	}

	@Test
	void headersAreThoseOfHttpResponses() {
		try (ConfigurableApplicationContext application = start(user("1/h"));
				EnvoyProbe envoy = EnvoyProbe.of(application)) {
			assertThat(headers(envoy)).containsEntry("RateLimit-Policy", "\"user\";q=1;w=3600")
				.containsEntry("X-RateLimit-Remaining", "0")
				.doesNotContainKey("Retry-After");
			assertThat(headers(envoy)).containsEntry("RateLimit-Policy", "\"user\";q=1;w=3600")
				.hasEntrySatisfying("Retry-After", (wait) -> assertThat(Long.parseLong(wait)).isBetween(3590L, 3600L));
		}
	}

	private static Map<String, String> headers(EnvoyProbe envoy) {
		return envoy.call("plan=free;user=bob")
			.getResponseHeadersToAddList()
			.stream()
			.collect(Collectors.toMap(HeaderValue::getKey, HeaderValue::getValue));
	}

	/** An application without a web server. */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
