package dev.ratelimit.benchmarks;

import java.util.stream.IntStream;

final class Keys {

	private Keys() {
	}

	static String[] create(String prefix, int count) {
		return IntStream.range(0, count).mapToObj((i) -> prefix + i).toArray(String[]::new);
	}

}
