package dev.ratelimit.ban;

import dev.ratelimit.MissingKeyPolicy;
import dev.ratelimit.rule.RuleBuilder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class PendingStrikesTests {

	@ParameterizedTest
	@CsvSource({ "ip, ip:192.0.2.1,true,true", "user, user:ann,true,false",
			"'ip,form:username', ip:192.0.2.1|form:ann,true,true", "'ip,user', ip:192.0.2.1|user:ann,true,false",
			"form:username, form:ann,false,false", "user, user:~none,false,false", "global, global,false,false",
			"form:username, form:user:ann,false,false", "'ip,user', ip:192.0.2.1|user:~none,true,true",
			"caller, ip:192.0.2.1,true,true", "caller, user:ann,true,false",
			"'ip,user', ip:192.0.2.1|ip:192.0.2.1,true,true" })
	void clientsGetStrikesForWhatTheyDoThemselves(String key, String subject, boolean usual, boolean crossSite) {
		assertThat(PendingStrikes.mayStrike(key(key).build().key(), subject, false, true)).isEqualTo(usual);
		assertThat(PendingStrikes.mayStrike(key(key).build().key(), subject, true, true)).isEqualTo(crossSite);
	}

	@ParameterizedTest
	@CsvSource({ "ip, ip:unknown,false", "'ip,user', ip:unknown|user:ann,false", "user, user:ann,true" })
	void unknownAddressGetsNoStrikes(String key, String subject, boolean expected) {
		assertThat(PendingStrikes.mayStrike(key(key).build().key(), subject, false, false)).isEqualTo(expected);
	}

	@ParameterizedTest
	@ValueSource(strings = { "user", "claim:tenant" })
	void anAddressThatStandsInGetsStrikesOnlyIfTheRuleSaysSo(String key) {
		assertThat(PendingStrikes.mayStrike(key(key).build().key(), "ip:192.0.2.1", false, true)).isFalse();
		assertThat(PendingStrikes.mayStrike(key(key).onMissingKey(MissingKeyPolicy.IP).build().key(), "ip:192.0.2.1",
				false, true))
			.isTrue();
	}

	private static RuleBuilder key(String parts) {
		return RuleBuilder.rule("a").limits("1/s").key(parts.split(","));
	}

}
