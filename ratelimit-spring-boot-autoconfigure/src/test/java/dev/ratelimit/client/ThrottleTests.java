package dev.ratelimit.client;

import java.net.URI;
import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class ThrottleTests {

	private final ManualTime time = new ManualTime();

	private final Throttle throttle = new Throttle(this.time);

	@ParameterizedTest
	@CsvSource({ "http://a.example/x, http://a.example:80", "HTTPS://A.Example/y?z, https://a.example:443",
			"http://u:p@a.example:8080/, http://a.example:8080", "http://[2001:db8::1]/, http://[2001:db8::1]:80",
			"http://my_host/x, http://my_host:80", "http://u:p@MY_host:8080/, http://my_host:8080" })
	void anOriginIsSchemeHostAndPort(URI uri, String origin) {
		assertThat(Throttle.origin(uri)).isEqualTo(origin);
	}

	@Test
	void theLaterEndCounts() {
		this.throttle.pause("a", Duration.ofSeconds(5));
		this.throttle.pause("a", Duration.ofSeconds(3));
		assertThat(this.throttle.left("a")).isEqualTo(Duration.ofSeconds(5));
		this.time.pass(Duration.ofSeconds(4));
		this.throttle.pause("a", Duration.ofSeconds(3));
		assertThat(this.throttle.left("a")).isEqualTo(Duration.ofSeconds(3));
	}

	@Test
	void endedPauseIsForgotten() {
		this.throttle.pause("a", Duration.ofSeconds(5));
		this.time.pass(Duration.ofSeconds(5));
		assertThat(this.throttle.left("a")).isZero();
		assertThat(this.throttle.size()).isZero();
	}

	@Test
	void remembersABoundedNumberOfOrigins() {
		for (int i = 0; i < 5000; i++) {
			this.throttle.pause("http://" + i, Duration.ofSeconds(5));
		}
		assertThat(this.throttle.size()).isLessThanOrEqualTo(1000);
	}

}
