package dev.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;

import dev.ratelimit.algorithm.LimitCalculator;
import dev.ratelimit.store.BucketFamily;

/**
 * What of a family goes over the wire with each charge, encoded once. Thread-safe.
 */
final class EncodedFamily {

	private final LimitCalculator arithmetic;

	private final byte[] keyTail;

	private final byte[] algorithm;

	private final LuaScript script;

	private final LuaScript joint;

	private volatile Arguments arguments = new Arguments(new long[0], new byte[0][]);

	EncodedFamily(BucketFamily family, byte[] keyTail, RedisClock clock) {
		this.arithmetic = family.arithmetic();
		this.keyTail = keyTail;
		this.algorithm = encode(family.script());
		this.script = LuaScript.fewBuckets(clock, List.of(family.script()));
		this.joint = LuaScript.manyBuckets(clock, List.of(family.script()));
	}

	/**
	 * What follows the subject in a key.
	 * @return the end of each key
	 */
	byte[] keyTail() {
		return this.keyTail;
	}

	/**
	 * The name of the algorithm's twin in Lua.
	 * @return the name
	 */
	byte[] algorithm() {
		return this.algorithm;
	}

	/**
	 * The script for one bucket of this family.
	 * @return the script
	 */
	LuaScript script() {
		return this.script;
	}

	/**
	 * The script for several buckets of this family's algorithm.
	 * @return the script
	 */
	LuaScript joint() {
		return this.joint;
	}

	/**
	 * The algorithm's numbers, encoded again only when they change.
	 * @param nowMillis the caller's time
	 * @return the numbers
	 */
	byte[][] arguments(long nowMillis) {
		long[] numbers = this.arithmetic.luaArguments(nowMillis);
		Arguments current = this.arguments;
		if (current.numbers != numbers) {
			current = Arguments.of(numbers);
			this.arguments = current;
		}
		return current.encoded;
	}

	static byte[] encode(long number) {
		return encode(Long.toString(number));
	}

	static byte[] encode(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private record Arguments(long[] numbers, byte[][] encoded) {

		static Arguments of(long[] numbers) {
			byte[][] encoded = new byte[numbers.length][];
			for (int i = 0; i < numbers.length; i++) {
				encoded[i] = encode(numbers[i]);
			}
			return new Arguments(numbers, encoded);
		}

	}

}
