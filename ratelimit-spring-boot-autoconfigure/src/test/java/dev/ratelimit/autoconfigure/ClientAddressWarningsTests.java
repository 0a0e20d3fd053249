package dev.ratelimit.autoconfigure;

import java.util.List;

import dev.ratelimit.MissingKeyPolicy;
import dev.ratelimit.RuleMode;
import dev.ratelimit.autoconfigure.ClientAddressProperties.Source;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.rule.RuleSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class ClientAddressWarningsTests {

	private static final ClientAddressProperties OWN = properties(Source.OWN, List.of());

	private static final ClientAddressProperties CONTAINER = properties(Source.CONTAINER, List.of());

	private static final RuleBuilder BY_ADDRESS = RuleBuilder.rule("a").limits("1/s").key("ip");

	private final MockEnvironment environment = new MockEnvironment();

	@ParameterizedTest
	@CsvSource({ "server.forward-headers-strategy, native", "server.forward-headers-strategy, FRAMEWORK",
			"spring.main.cloud-platform, kubernetes" })
	void proxyThatNobodyTrustsIsSaidOnce(String property, String value, CapturedOutput output) {
		this.environment.setProperty(property, value);
		ClientAddressWarnings remarks = remarks(OWN, true);
		remarks.use(rules(BY_ADDRESS));
		remarks.use(rules(BY_ADDRESS));
		assertThat(output).containsOnlyOnce("[a]. No trusted proxy is configured, but")
			.contains("'ratelimit.client-address.trusted-proxies'");
	}

	@ParameterizedTest
	@CsvSource({ "framework, true, true", "framework, false, true", "native, false, true", "native, true, false",
			"none, false, false" })
	void containerThatLetsCallersChooseIsReported(String strategy, boolean tomcat, boolean said,
			CapturedOutput output) {
		this.environment.setProperty("server.forward-headers-strategy", strategy);
		remarks(CONTAINER, tomcat).use(rules(BY_ADDRESS));
		assertThat(output.getOut().contains("which clients control")).isEqualTo(said);
	}

	@Test
	void nothingIsSaidWhereAllIsWell(CapturedOutput output) {
		remarks(OWN, true).use(rules(BY_ADDRESS));
		this.environment.setProperty("server.forward-headers-strategy", "native");
		remarks(OWN, true)
			.use(rules(RuleBuilder.rule("a").limits("1/s").key("user").onMissingKey(MissingKeyPolicy.SHARED)));
		remarks(OWN, true).use(rules(RuleBuilder.rule("a").limits("1/s").key("ip").mode(RuleMode.OFF)));
		remarks(properties(Source.OWN, List.of("10.0.0.0/8")), true).use(rules(BY_ADDRESS));
		assertThat(output).doesNotContain("Rules that use client addresses");
		remarks(OWN, true)
			.use(rules(RuleBuilder.rule("a").limits("1/s").key("header:X").onMissingKey(MissingKeyPolicy.IP)));
		assertThat(output).contains("Rules that use client addresses: [a]");
	}

	@Test
	void anAddressThatStandsInForAUserIsUsed(CapturedOutput output) {
		this.environment.setProperty("server.forward-headers-strategy", "native");
		remarks(OWN, true).use(rules(RuleBuilder.rule("a").limits("1/s").key("user")));
		assertThat(output).contains("Rules that use client addresses: [a]");
	}

	@Test
	void applicationSaysIt(CapturedOutput output) {
		EnableAuto.servlet()
			.withPropertyValues(EnableAuto.RULE, EnableAuto.PATHS, "server.forward-headers-strategy=native")
			.run((context) -> assertThat(output).containsOnlyOnce("Rules that use client addresses: [all]"));
	}

	private ClientAddressWarnings remarks(ClientAddressProperties properties, boolean tomcat) {
		return new ClientAddressWarnings(properties, this.environment, tomcat);
	}

	private static ClientAddressProperties properties(Source source, List<String> proxies) {
		return new ClientAddressProperties(source, proxies, null, null, 64);
	}

	private static RuleSet rules(RuleBuilder rule) {
		return RuleSet.EMPTY.next(List.of(rule.build()));
	}

}
