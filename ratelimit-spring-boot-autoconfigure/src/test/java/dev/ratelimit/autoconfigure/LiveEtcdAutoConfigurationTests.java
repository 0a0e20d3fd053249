package dev.ratelimit.autoconfigure;

import dev.ratelimit.live.EtcdRuleSource;
import dev.ratelimit.live.RuleSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class LiveEtcdAutoConfigurationTests {

	private final ApplicationContextRunner runner = EnableAuto.plain()
		.withPropertyValues(EnableAuto.RULE, EnableAuto.PATHS, "ratelimit.live.source=etcd");

	@Test
	void theSourceIsEtcdAndAnUnavailableOneDoesNotPreventTheStart() {
		this.runner
			.withPropertyValues("ratelimit.live.etcd.endpoints=http://127.0.0.1:1,http://localhost:1",
					"ratelimit.live.etcd.username=limiter", "ratelimit.live.etcd.password=secret")
			.run((context) -> assertThat(context).hasSingleBean(EtcdRuleSource.class).hasSingleBean(RuleSource.class));
	}

	@Test
	void endpointsAreRequired() {
		FailureAnalysis analysis = StartFailure.of(this.runner);
		assertThat(analysis.getDescription())
			.isEqualTo("'ratelimit.live.source' is 'etcd', but 'ratelimit.live.etcd.endpoints' is not set.");
	}

	@ParameterizedTest
	@CsvSource({ "http://etcd-1:2379, the password would be sent unencrypted to etcd-1",
			"'https://etcd 1/secret', an endpoint is not an address",
			"'https://a:secret@etcd-1', 'an endpoint must be like https://etcd-1:2379, without a user'" })
	void invalidEndpointIsReportedWithoutPassword(String endpoint, String reason) {
		FailureAnalysis analysis = StartFailure
			.of(this.runner.withPropertyValues("ratelimit.live.etcd.endpoints=" + endpoint,
					"ratelimit.live.etcd.username=limiter", "ratelimit.live.etcd.password=secret"));
		assertThat(analysis.getDescription()).isEqualTo("'ratelimit.live.etcd' cannot be used: " + reason + ".");
		assertThat(StartFailure.text(analysis)).doesNotContain("secret");
	}

}
