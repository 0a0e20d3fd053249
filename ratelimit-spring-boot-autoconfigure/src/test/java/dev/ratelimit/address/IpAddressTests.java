package dev.ratelimit.address;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.MockedStatic;
import org.mockito.Mockito;

import static org.assertj.core.api.Assertions.assertThat;

class IpAddressTests {

	@ParameterizedTest
	@ValueSource(strings = { "203.0.113.7", "::ffff:203.0.113.7", "::FFFF:cb00:7107", "0:0:0:0:0:ffff:cb00:7107",
			"0000:0000:0000:0000:0000:ffff:203.0.113.7", "64:ff9b::203.0.113.7", "64:ff9b::cb00:7107",
			"64:FF9B:0:0:0:0:cb00:7107", "::ffff:203.0.113.7%eth0" })
	void ipv4IsOneAddressHoweverItComes(String text) {
		assertThat(IpAddress.parse(text)).hasToString("203.0.113.7").isEqualTo(IpAddress.ofIpv4(0xcb007107L));
	}

	@ParameterizedTest
	@CsvSource({ "2001:0DB8:0000:0000:0000:0000:0000:0001, 2001:db8::1", "2001:db8:0:0::1, 2001:db8::1",
			"2001:db8::192.0.2.1, 2001:db8::c000:201", "::, ::", "::1, ::1", "1::, 1::", "fe80::1%2, fe80::1",
			"2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1", "2001:0:0:1:0:0:0:1, 2001:0:0:1::1",
			"2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1", "0:0:0:1::, 0:0:0:1::", "1:2:3:4:5:6:7::, 1:2:3:4:5:6:7:0",
			"::2:3:4:5:6:7:8, 0:2:3:4:5:6:7:8", "64:ff9b:1::1, 64:ff9b:1::1", "::1:2:3, ::1:2:3" })
	void ipv6HasOneSpelling(String text, String canonical) {
		assertThat(IpAddress.parse(text)).hasToString(canonical);
		assertThat(IpAddress.parse(canonical)).isEqualTo(IpAddress.parse(text))
			.hasSameHashCodeAs(IpAddress.parse(text));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", ":", ":::", "1:2", "::1::", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9",
			"1:2:3:4:5:6:7:8::", ":1::2", "1::2:", "12345::", "::g", "::1%", "::1%a%b", "::1%a b", "::1.2.3",
			"::1.2.3.256", "::1.2.3.4.5", "1.2.3.4::", "::1.2.3.4:5", "1:2:3:4:5:6:7:1.2.3.4", "[::1]", "[::1", "::1]",
			"1.2.3", "1.2.3.4.5", "1.2.3.", ".1.2.3", "1..2.3", "01.2.3.4", "1.2.3.00", "256.1.1.1", "1.2.3.1000",
			"1.2.3.4%eth0", "1.2.3.4 ", " 1.2.3.4", "16909060", "0x1.2.3.4", "1.2.3.4:80", "localhost", "unknown",
			"_hidden", "1.2.3.\u0664", "::\u0661", "2001:db8::1 ", "1.2.3.4\n", "99999999999.1.1.1", "-1.2.3.4",
			"+1.2.3.4" })
	void invalidLiteralIsUnknownAddress(String text) {
		assertThat(IpAddress.parse(text)).isSameAs(IpAddress.UNKNOWN).hasToString("");
	}

	@ParameterizedTest
	@ValueSource(strings = { "client.example.org", "unknown:1", "x%:", "%:", "host.example.org:80", "[x:y]", ".:1" })
	void nothingIsLookedUp(String text) {
		try (MockedStatic<InetAddress> lookups = Mockito.mockStatic(InetAddress.class)) {
			IpAddress.parse(text);
			ClientAddresses.HopText.reported(text);
			lookups.verifyNoInteractions();
		}
	}

	@Test
	void addressesOfTheNetworkAreReadAsTheJdkWritesThem() throws UnknownHostException {
		Random random = new Random(7);
		for (int i = 0; i < 2000; i++) {
			byte[] bytes = new byte[(i % 2 == 0) ? 4 : 16];
			for (int at = 0; at < bytes.length; at++) {
				bytes[at] = (random.nextInt(3) == 0) ? (byte) random.nextInt() : 0;
			}
			InetAddress address = InetAddress.getByAddress(bytes);
			IpAddress ours = IpAddress.of(address);
			assertThat(IpAddress.parse(address.getHostAddress())).isEqualTo(ours);
			assertThat(IpAddress.parse(ours.toString())).isEqualTo(ours);
			assertThat(InetAddress.getByName(ours.toString())).isEqualTo(address);
		}
	}

	@ParameterizedTest
	@CsvSource({ "2001:db8:1:2:3:4:5:6, 64, 2001:db8:1:2::/64", "2001:db8:1:2:3:4:5:6, 48, 2001:db8:1::/48",
			"2001:db8:1:2ff:3:4:5:6, 56, 2001:db8:1:200::/56", "2001:db8:1:2:3:4:5:6, 128, 2001:db8:1:2:3:4:5:6/128",
			"2001:db8:1:2:ffff:4:5:6, 65, 2001:db8:1:2:8000::/65", "203.0.113.7, 48, 203.0.113.7", "::1, 64, ::/64",
			"nobody, 64, unknown" })
	void clientsAreCountedByTheirNetworks(String address, int prefix, String key) {
		assertThat(ClientAddress.of(IpAddress.parse(address), prefix).key()).isEqualTo(key);
	}

}
