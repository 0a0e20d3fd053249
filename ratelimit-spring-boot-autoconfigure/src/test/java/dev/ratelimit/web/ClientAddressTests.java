package dev.ratelimit.web;

import java.net.InetAddress;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.MockedStatic;
import org.mockito.Mockito;

import static org.assertj.core.api.Assertions.assertThat;

class ClientAddressTests {

	@ParameterizedTest
	@CsvSource({ "203.0.113.7, 203.0.113.7", "::ffff:203.0.113.7, 203.0.113.7", "::FFFF:cb00:7107, 203.0.113.7",
			"0:0:0:0:0:ffff:cb00:7107, 203.0.113.7" })
	void ipv4IsOneAddressInDots(String address, String key) {
		assertThat(ClientAddress.key(address)).isEqualTo(key);
	}

	@ParameterizedTest
	@ValueSource(strings = { "2001:db8::1", "2001:0db8:0000:0000:0000:0000:0000:0001", "2001:DB8::1", "2001:db8:0:0::1",
			"2001:db8::ffff:ffff:ffff:ffff", "2001:db8::192.0.2.1", "2001:db8::1%eth0", "[2001:db8::1]" })
	void ipv6IsItsNetworkInOneSpelling(String address) {
		assertThat(ClientAddress.key(address)).isEqualTo("2001:db8::/64");
	}

	@ParameterizedTest
	@CsvSource({ "::1, ::/64", "fe80::1%2, fe80::/64", "2001:db8:1:2:3:4:5:6, 2001:db8:1:2::/64",
			"2001:0:0:1::, 2001:0:0:1::/64", "0:0:0:1::9, 0:0:0:1::/64", "1::, 1::/64" })
	void networksAreToldApart(String address, String key) {
		assertThat(ClientAddress.key(address)).isEqualTo(key);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", ":", ":::", "1:2", "1.2.3.4:5678", "[1.2.3.4:5678]", "[::1", "::1]", "[::1]:443",
			"gggg::1", "unknown:1", "x%:", "%:", "%a:b", "2001:db8::1 ", "a:b\n",
			"2001:db8:0000:0000:0000:0000:0000:0001%an-interface-with-a-very-long-name" })
	void whatIsNoAddressSharesOneKey(String address) {
		assertThat(ClientAddress.key(address)).isEqualTo(ClientAddress.UNKNOWN);
	}

	@Test
	void nameOfAHostIsKeptAsText() {
		assertThat(ClientAddress.key("client.example.org")).isEqualTo("client.example.org");
	}

	@ParameterizedTest
	@ValueSource(strings = { "unknown:1", "x%:", "%:", "host.example.org:80", "client.example.org", "[x:y]", "zz:1",
			".:1", "[.:1]" })
	void nothingIsLookedUp(String address) {
		try (MockedStatic<InetAddress> lookups = Mockito.mockStatic(InetAddress.class)) {
			ClientAddress.key(address);
			lookups.verifyNoInteractions();
		}
	}

}
