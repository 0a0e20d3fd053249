package dev.ratelimit.benchmarks.http;

import java.math.BigInteger;
import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What the filters written by hand enforce: a token bucket in whole units, of which so
 * many are a token, and so many come back each millisecond.
 *
 * @param limit tokens of a full bucket
 * @param period time in which an empty one fills
 * @param redis address of Redis
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
