package dev.ratelimit.benchmarks;

import java.util.function.BiFunction;

/**
 * A row of the table: its name, and how to open it anew for each cell.
 */
record Entry(String name, BiFunction<RedisAddress, Limit, Contestant> opener) {

	Contestant open(RedisAddress redis, Limit limit) {
		return this.opener.apply(redis, limit);
	}

}
