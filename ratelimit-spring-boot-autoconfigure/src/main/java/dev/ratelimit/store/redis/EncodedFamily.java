package dev.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;

import dev.ratelimit.store.BucketFamily;

/**
 * What of a family goes over the wire with each charge, encoded once.
 *
 * @param keyTail what follows the subject in a key
 * @param algorithm the algorithm's id
 * @param arguments the algorithm's numbers
 * @param script the script for one bucket of this family
 * @param joint the script for several buckets of this family's algorithm
 */
record EncodedFamily(byte[] keyTail, byte[] algorithm, byte[][] arguments, LuaScript script, LuaScript joint) {

	static EncodedFamily of(BucketFamily family, LuaScript.Clock clock) {
		long[] numbers = family.arithmetic().luaArguments();
		byte[][] arguments = new byte[numbers.length][];
		for (int i = 0; i < numbers.length; i++) {
			arguments[i] = encode(numbers[i]);
		}
		return new EncodedFamily(RedisKeys.tail(family), encode(family.algorithm()), arguments,
				LuaScript.oneBucket(clock, family.algorithm()),
				LuaScript.manyBuckets(clock, List.of(family.algorithm())));
	}

	static byte[] encode(long number) {
		return encode(Long.toString(number));
	}

	static byte[] encode(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
