package dev.ratelimit.benchmarks.http;

import java.math.BigInteger;
import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The limit of the filters that are written by hand: a token bucket that counts in whole
 * units. A token is a fixed number of units, and a fixed number of units is refilled in
 * each millisecond.
 *
 * @param limit the number of tokens in a full bucket
 * @param period the time in which an exhausted bucket becomes full
 * @param redis the address of Redis
 */
@ConfigurationProperties("benchmark")
record Numbers(@DefaultValue("100000000") long limit, @DefaultValue("1m") Duration period,
		@DefaultValue("redis://localhost") String redis) {

	long unitsPerToken() {
		return this.period.toMillis() / divisor();
	}

	long unitsPerMilli() {
		return this.limit / divisor();
	}

	long capacity() {
		return this.limit * unitsPerToken();
	}

	private long divisor() {
		return BigInteger.valueOf(this.limit).gcd(BigInteger.valueOf(this.period.toMillis())).longValue();
	}

}
