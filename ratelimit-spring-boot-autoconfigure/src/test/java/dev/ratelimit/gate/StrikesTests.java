package dev.ratelimit.gate;

import dev.ratelimit.address.IpAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class StrikesTests {

	@ParameterizedTest
	@CsvSource({ "ip:192.0.2.1,true,true", "user:ann,true,false", "ip:192.0.2.1|form:ann,true,true",
			"ip:192.0.2.1|user:ann,true,false", "form:ann,false,false", "user:~none,false,false", "global,false,false",
			"form:user:ann,false,false", "ip:192.0.2.1|user:~none,true,true" })
	void clientsGetStrikesForWhatTheyDoThemselves(String subject, boolean usual, boolean crossSite) {
		assertThat(Strikes.mayStrike(subject, call("192.0.2.1", false))).isEqualTo(usual);
		assertThat(Strikes.mayStrike(subject, call("192.0.2.1", true))).isEqualTo(crossSite);
	}

	@ParameterizedTest
	@CsvSource({ "ip:unknown,false", "ip:unknown|user:ann,false", "user:ann,true" })
	void nobodyGetsStrikesByAnUnknownAddress(String subject, boolean expected) {
		assertThat(Strikes.mayStrike(subject, call("", false))).isEqualTo(expected);
	}

	private static Call call(String address, boolean crossSite) {
		return new Call() {

			@Override
			public IpAddress address() {
				return (address.isEmpty()) ? IpAddress.UNKNOWN : IpAddress.parse(address);
			}

			@Override
			public boolean isCrossSite() {
				return crossSite;
			}

		};
	}

}
