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

	@Test
	void noNetworkHoldsWhoHasNoAddress() {
		assertThat(IpNetworks.of(List.of("0.0.0.0/0", "::/0")).contains(IpAddress.UNKNOWN)).isFalse();
		assertThat(IpNetworks.NONE.isEmpty()).isTrue();
	}

	@ParameterizedTest
	@CsvSource({ "10.0.0.0/33, prefix length between 0 and 32", "10.0.0.0/-1, prefix length",
			"10.0.0.0/, prefix length", "10.0.0.0/x, prefix length", "::/129, prefix length between 0 and 128",
			"10.0.0.5/8, use 10.0.0.0/8", "2001:db8::1/32, use 2001:db8::/32",
			"example.org, neither an address nor a network", "10.0.0, neither an address",
			"fe80::1%eth0, neither an address", "::ffff:10.0.0.0/90, prefix length" })
	void whatIsNoNetworkIsRejectedInWords(String text, String reason) {
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

	// Few distinct bits, so that addresses and networks meet.
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
