package dev.ratelimit.address;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class IpNetworksTests {

	@ParameterizedTest
	@CsvSource({ "10.0.0.0/8, 10.255.255.255, true", "10.0.0.0/8, 11.0.0.0, false", "10.0.0.0/8, 9.255.255.255, false",
			"10.0.0.0/8, ::ffff:10.1.2.3, true", "192.0.2.7, 192.0.2.7, true", "192.0.2.7, 192.0.2.8, false",
			"192.0.2.6/31, 192.0.2.7, true", "0.0.0.0/0, 255.255.255.255, true", "0.0.0.0/0, ::1, false",
			"::/0, ffff::1, true", "::/0, 10.0.0.1, false", "2001:db8::/32, 2001:db8:ffff::1, true",
			"2001:db8::/32, 2001:db9::, false", "fd00::/8, fdff:ffff::1, true", "::1, ::1, true",
			"2001:db8::/65, 2001:db8:0:0:7fff::, true", "2001:db8::/65, 2001:db8:0:0:8000::, false",
			"::ffff:10.0.0.0/104, 10.2.3.4, true", "128.0.0.0/1, 200.1.1.1, true", "8000::/1, ::1, false" })
	void networkHoldsItsAddresses(String network, String address, boolean held) {
		assertThat(IpNetworks.of(List.of(network)).contains(IpAddress.parse(address))).isEqualTo(held);
	}

	@ParameterizedTest
	@CsvSource({ "private, 10.1.2.3, true", "private, 172.31.0.1, true", "private, 172.32.0.1, false",
			"private, 192.168.1.1, true", "private, 169.254.1.1, true", "private, 100.64.0.1, true",
			"private, 127.0.0.1, true", "private, ::1, true", "private, fd12::1, true", "private, fe80::1, true",
			"private, 8.8.8.8, false", "private, 2001:db8::1, false", "private, ::ffff:10.0.0.1, true",
			"uniquelocal, 10.0.0.1, true", "uniquelocal, 127.0.0.1, false", "uniquelocal, 100.64.0.1, false",
			"linklocal, 169.254.0.1, true", "linklocal, 10.0.0.1, false", "' loopback ', 127.9.9.9, true",
			"loopback, 10.0.0.1, false" })
	void rangesHaveNames(String name, String address, boolean held) {
		assertThat(IpNetworks.of(List.of(name)).contains(IpAddress.parse(address))).isEqualTo(held);
		assertThat(IpNetworks.of(List.of("203.0.113.0/24", name)).contains(IpAddress.parse("203.0.113.9"))).isTrue();
	}

	@Test
	void unknownAddressIsInNoNetwork() {
		assertThat(IpNetworks.of(List.of("0.0.0.0/0", "::/0")).contains(IpAddress.UNKNOWN)).isFalse();
		assertThat(IpNetworks.NONE.isEmpty()).isTrue();
	}

	@ParameterizedTest
	@CsvSource({ "10.0.0.0/33, prefix length between 0 and 32", "10.0.0.0/-1, prefix length",
			"10.0.0.0/, prefix length", "10.0.0.0/x, prefix length", "::/129, prefix length between 0 and 128",
			"10.0.0.5/8, use 10.0.0.0/8", "2001:db8::1/32, use 2001:db8::/32",
			"example.org, neither an address, a network, nor", "10.0.0, neither an address",
			"fe80::1%eth0, neither an address", "::ffff:10.0.0.0/90, prefix length",
			"::ffff:0:0/96, contains all IPv4 addresses", "64:ff9b::/96, contains all IPv4 addresses" })
	void invalidNetworkIsRejectedWithReason(String text, String reason) {
		assertThatIllegalArgumentException().isThrownBy(() -> IpNetworks.of(List.of(text)))
			.withMessageContaining("'" + text + "'")
			.withMessageContaining(reason);
	}

	@Test
	void manyNetworksHoldWhatOneOfThemHolds() {
		Random random = new Random(11);
		for (int run = 0; run < 200; run++) {
			List<IpNetworks.IpNetwork> networks = new ArrayList<>();
			for (int i = 0; i < 1 + random.nextInt(12); i++) {
				int prefix = random.nextInt(129);
				networks.add(new IpNetworks.IpNetwork(random(random).first(prefix), prefix));
			}
			IpNetworks all = IpNetworks
				.of(networks.stream().map((network) -> network.first() + "/" + network.prefix()).toList());
			for (int i = 0; i < 50; i++) {
				IpAddress address = (i % 2 == 0) ? random(random) : networks.get(i % networks.size()).first();
				assertThat(all.contains(address)).as("%s in %s", address, networks)
					.isEqualTo(networks.stream().anyMatch((network) -> holds(network, address)));
			}
		}
	}

	// Use few distinct bits, so that networks often contain addresses.
	private static IpAddress random(Random random) {
		long mask = 0x8000_8000_8000_8001L;
		return IpAddress.ofIpv6(random.nextLong() & mask, random.nextLong() & mask);
	}

	private static boolean holds(IpNetworks.IpNetwork network, IpAddress address) {
		int host = address.bits() - network.prefix();
		return number(address).shiftRight(host).equals(number(network.first()).shiftRight(host));
	}

	private static BigInteger number(IpAddress address) {
		return new BigInteger(Long.toUnsignedString(address.high())).shiftLeft(64)
			.add(new BigInteger(Long.toUnsignedString(address.low())));
	}

}
