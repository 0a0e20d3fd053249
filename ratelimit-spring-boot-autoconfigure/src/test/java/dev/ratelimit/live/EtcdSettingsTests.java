package dev.ratelimit.live;

import java.net.URI;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class EtcdSettingsTests {

	private static final Optional<EtcdSettings.User> USER = Optional.of(new EtcdSettings.User("limiter", "secret"));

	@ParameterizedTest
	@ValueSource(strings = { "https://etcd-1:2379", "http://127.0.0.1:2379", "http://localhost", "http://[::1]:2379" })
	void aPasswordIsSentByTlsOrWithinTheMachine(String endpoint) {
		assertThat(settings(endpoint, USER).user()).isPresent();
	}

	@ParameterizedTest
	@ValueSource(strings = { "http://etcd-1:2379", "http://127.evil.com", "http://127.0.0.1.evil.com",
			"http://localhost.evil.com", "http://[::2]" })
	void aPasswordIsNotSentUnencrypted(String endpoint) {
		assertThatIllegalArgumentException().isThrownBy(() -> settings(endpoint, USER))
			.withMessageStartingWith("the password would be sent unencrypted to ");
		assertThat(settings(endpoint, Optional.empty()).user()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "etcd-1:2379", "ftp://etcd-1", "https://user:password@etcd-1", "/path" })
	void anEndpointIsAnAddress(String endpoint) {
		assertThatIllegalArgumentException().isThrownBy(() -> settings(endpoint, Optional.empty()))
			.withMessage("an endpoint must be like https://etcd-1:2379, without a user");
	}

	@Test
	void thereIsAnEndpointAndAPrefix() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new EtcdSettings(List.of(), "/", Optional.empty(), Optional.empty()))
			.withMessage("there is no endpoint");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new EtcdSettings(List.of(URI.create("http://a")), "", Optional.empty(), Optional.empty()))
			.withMessage("the prefix is empty");
	}

	@Test
	void thePasswordIsNotShown() {
		assertThat(settings("https://etcd-1", USER)).asString().contains("limiter").doesNotContain("secret");
	}

	private static EtcdSettings settings(String endpoint, Optional<EtcdSettings.User> user) {
		return new EtcdSettings(List.of(URI.create(endpoint)), "/ratelimit/", user, Optional.empty());
	}

}
