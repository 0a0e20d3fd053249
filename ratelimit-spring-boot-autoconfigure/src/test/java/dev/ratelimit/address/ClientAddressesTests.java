package dev.ratelimit.address;

import java.util.Collections;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class ClientAddressesTests {

	private static final ClientAddresses BEHIND = behind("X-Forwarded-For");

	private static ClientAddresses behind(String header) {
		return ClientAddresses.OF_PEER.behind(IpNetworks.of(List.of("10.0.0.0/8", "fd00::/8")),
				AddressHeader.of(header));
	}

	@Test
	void headersAreNotEvenReadUnlessThePeerIsTrusted() {
		assertThat(find(ClientAddresses.OF_PEER, "10.0.0.1", (String[]) null)).isEqualTo("10.0.0.1");
		assertThat(find(BEHIND, "203.0.113.7", (String[]) null)).isEqualTo("203.0.113.7");
		assertThat(find(BEHIND, "", (String[]) null)).isEqualTo("unknown");
	}

	@ParameterizedTest
	@CsvSource({ "1, 0.0.0.3", "2, 0.0.0.2", "3, 0.0.0.1", "4, 0.0.0.1", "32, 0.0.0.1" })
	void hopsAreCountedFromTheRight(int hops, String client) {
		assertThat(find(counting(hops), "192.0.2.1", "0.0.0.1,0.0.0.2, 0.0.0.3")).isEqualTo(client);
		assertThat(find(counting(hops), "192.0.2.1", "0.0.0.1", "0.0.0.2, 0.0.0.3")).isEqualTo(client);
		assertThat(find(counting(hops), "192.0.2.1")).isEqualTo("192.0.2.1");
		assertThat(find(counting(hops), "192.0.2.1", "")).isEqualTo("192.0.2.1");
	}

	@Test
	void forgedHopsOnTheLeftNeverChangeTheClient() {
		for (String forged : List.of("1.1.1.1", "unknown", "\"", "for=\"", ",,,", "[", "10.0.0.9, 10.0.0.9", "::1%")) {
			assertThat(find(BEHIND, "10.0.0.5", forged + ", 203.0.113.7")).isEqualTo("203.0.113.7");
			assertThat(find(behind("Forwarded"), "10.0.0.5", forged + ", for=203.0.113.7")).isEqualTo("203.0.113.7");
			assertThat(find(behind("Forwarded"), "10.0.0.5", forged, "for=203.0.113.7")).isEqualTo("203.0.113.7");
			assertThat(find(behind("Forwarded"), "10.0.0.5", forged + ",for=\"[2001:db8::1]:1\";by=\"a,b\""))
				.isEqualTo("2001:db8::/64");
		}
	}

	@Test
	void unreadableAddressResolvesToLastTrustedHop() {
		assertThat(find(BEHIND, "10.0.0.5", "203.0.113.7, unknown, 10.0.0.6")).isEqualTo("10.0.0.6");
		assertThat(find(counting(3), "192.0.2.1", "203.0.113.7, host, 10.0.0.6")).isEqualTo("10.0.0.6");
		assertThat(find(counting(1), "", "unknown")).isEqualTo("unknown");
		assertThat(find(counting(1), "", "203.0.113.7")).isEqualTo("203.0.113.7");
	}

	@ParameterizedTest
	@CsvSource({ "ip:2001:db8:1:2::7, ip:2001:db8:1:2::/64", "ip:2001:DB8:1:2:0::7/64, ip:2001:db8:1:2::/64",
			"ip:2001:db8:1:2::/64, ip:2001:db8:1:2::/64", "ip:2001:db8:1:2::/48, ip:2001:db8:1:2::/48",
			"ip:::ffff:203.0.113.7, ip:203.0.113.7", "ip:203.0.113.7, ip:203.0.113.7",
			"ip:203.0.113.7/64, ip:203.0.113.7/64", "ip:unknown, ip:unknown", "ip:, ip:", "ip:~none, ip:~none",
			"user:ip:2001:db8::7, user:ip:2001:db8::7", "header:2001:db8::7, header:2001:db8::7",
			"user:bob|ip:2001:db8::7|route:/a, user:bob|ip:2001:db8::/64|route:/a", "*, *",
			"ip:2001:db8::7|, ip:2001:db8::/64|" })
	void writtenSubjectsAreThoseThatAreCounted(String written, String counted) {
		assertThat(ClientAddresses.OF_PEER.counted(written)).isEqualTo(counted);
	}

	@Test
	void writtenSubjectsAreGroupedAsConfigured() {
		assertThat(ClientAddresses.OF_PEER.grouping(48).counted("ip:2001:db8:1:2::7")).isEqualTo("ip:2001:db8:1::/48");
		assertThat(ClientAddresses.OF_PEER.grouping(128).counted("ip:2001:db8::7")).isEqualTo("ip:2001:db8::7/128");
	}

	@Test
	void noMoreThan32HopsAreLookedAt() {
		String hops = String.join(",", Collections.nCopies(31, "10.0.0.9"));
		assertThat(find(BEHIND, "10.0.0.5", "203.0.113.7," + hops)).isEqualTo("203.0.113.7");
		assertThat(find(BEHIND, "10.0.0.5", "203.0.113.7,10.0.0.1," + hops)).isEqualTo("10.0.0.1");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			203.0.113.7 | 203.0.113.7
			"203.0.113.7" | 203.0.113.7
			203.0.113.7:0 | 203.0.113.7
			203.0.113.7:_a-b.c | 203.0.113.7
			[2001:db8::1] | 2001:db8::/64
			"[2001:db8::1]:443" | 2001:db8::/64
			[fe80::1%eth0]:443 | fe80::/64
			::ffff:203.0.113.7 | 203.0.113.7
			[203.0.113.7] | 10.0.0.5
			203.0.113.7: | 10.0.0.5
			203.0.113.7:123456 | 10.0.0.5
			203.0.113.7:8x | 10.0.0.5
			[2001:db8::1]443 | 10.0.0.5
			[2001:db8::1 | 10.0.0.5
			[] | 10.0.0.5
			" | 10.0.0.5
			for=203.0.113.7 | 10.0.0.5
			""", quoteCharacter = '`')
	void portsAndBracketsDoNotCount(String text, String client) {
		assertThat(find(BEHIND, "10.0.0.5", "1.1.1.1,\t" + text + " ")).isEqualTo(client);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			FOR=203.0.113.7 | 203.0.113.7
			proto=http; for=203.0.113.7 ;by=10.0.0.1 | 203.0.113.7
			for="203.0.113.7:80" | 203.0.113.7
			for="[2001:db8::1]" | 2001:db8::/64
			for="\\2\\03.0.113.7" | 203.0.113.7
			host="a;for=1.1.1.1";for=203.0.113.7 | 203.0.113.7
			host="a\\";for=1.1.1.1;x=\\"";for=203.0.113.7 | 203.0.113.7
			for=203.0.113.7:80 | 10.0.0.5
			for=2001:db8::1 | 10.0.0.5
			for=[2001:db8::1] | 10.0.0.5
			for="2001:db8::1" | 10.0.0.5
			for=unknown | 10.0.0.5
			for="_hidden" | 10.0.0.5
			for= | 10.0.0.5
			for | 10.0.0.5
			for="203.0.113.7 | 10.0.0.5
			for=203.0.113.7;for=1.1.1.1 | 10.0.0.5
			forx=203.0.113.7 | 10.0.0.5
			203.0.113.7 | 10.0.0.5
			""", quoteCharacter = '`')
	void forwardedIsReadAsRfc7239Says(String text, String client) {
		assertThat(find(behind("forwarded"), "10.0.0.5", "for=1.1.1.1", text)).isEqualTo(client);
		assertThat(find(behind("Forwarded"), "10.0.0.5", "for=1.1.1.1, " + text)).isEqualTo(client);
	}

	@Test
	void headerOfASingleAddressIsTakenOnlyIfThereIsOne() {
		ClientAddresses cdn = behind("CF-Connecting-IP");
		assertThat(find(cdn, "10.0.0.5", " 2001:db8::1 ")).isEqualTo("2001:db8::/64");
		assertThat(find(cdn, "10.0.0.5")).isEqualTo("10.0.0.5");
		assertThat(find(cdn, "10.0.0.5", "1.1.1.1", "203.0.113.7")).isEqualTo("10.0.0.5");
		assertThat(find(cdn, "10.0.0.5", "1.1.1.1, 203.0.113.7")).isEqualTo("10.0.0.5");
		assertThat(find(cdn, "203.0.113.9", "1.1.1.1")).isEqualTo("203.0.113.9");
	}

	@ParameterizedTest
	@CsvSource({ "203.0.113.7, 203.0.113.7", "203.0.113.7:5678, 203.0.113.7", "[203.0.113.7:5678], 203.0.113.7",
			"[2001:db8::1], 2001:db8::/64", "0:0:0:0:0:0:0:1%lo, ::/64", "unknown, unknown", "[, unknown" })
	void containerAddressMayComeFromForwardedHeaderFilter(String text, String key) {
		assertThat(ClientAddresses.OF_PEER.byContainer().reported(text).key()).isEqualTo(key);
	}

	private static ClientAddresses counting(int hops) {
		return ClientAddresses.OF_PEER.behind(hops, AddressHeader.X_FORWARDED_FOR);
	}

	// If the lines are null, reading the header throws an exception.
	private static String find(ClientAddresses addresses, String peer, String... lines) {
		return addresses.find(IpAddress.parse(peer), (name) -> List.of(lines)).key();
	}

}
