package dev.ratelimit.test.redis;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SourceReportTests {

	@Test
	void serverIsNamedWithItsVersion() {
		assertThat(SourceReport.version("# Server\r\nredis_version:7.0.15\r\nos:Linux 6.1: a\r\n"))
			.isEqualTo("redis-server 7.0.15");
		assertThat(SourceReport.version("redis_version:7.2.4\r\nserver_name:valkey\r\nvalkey_version:8.0.1\r\n"))
			.isEqualTo("valkey-server 8.0.1");
	}

}
