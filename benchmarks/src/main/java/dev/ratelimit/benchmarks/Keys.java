package dev.ratelimit.benchmarks;

import java.util.stream.IntStream;

final class Keys {

	private Keys() {
	}

	static String[] create(int count) {
		return IntStream.range(0, count).mapToObj("tenant:user:%08d"::formatted).toArray(String[]::new);
	}

}
