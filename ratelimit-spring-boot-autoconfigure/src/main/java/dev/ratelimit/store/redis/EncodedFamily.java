package dev.ratelimit.store.redis;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import dev.ratelimit.algorithm.LimitCalculator;
import dev.ratelimit.store.BucketFamily;

/**
 * What of a family goes over the wire with each charge, encoded once. Thread-safe.
 */
final class EncodedFamily {

	private static final byte[] NO_HEADER = {};

	private static final byte[] FIRST = encode(1);

	private static final long MAX_WEIGHT = 1_000_000;

	private final LimitCalculator arithmetic;

	private final byte[] keyTail;

	private final byte[] ownTail;

	private final byte[] algorithm;

	private final StraightLayout layout;

	private final LuaScript script;

	private final Optional<EncodedJoint> joint;

	private final boolean log;

	private final int index;

	private final byte[] first;

	private final MovedSubjects moved;

	private volatile Arguments arguments = new Arguments(new long[0], new byte[0]);

	EncodedFamily(BucketFamily family, RedisKeys keys, Optional<EncodedJoint> joint,
			Function<List<StraightLayout>, LuaScript> scripts, long holder) {
		this.arithmetic = family.arithmetic().heldBy(holder);
		this.moved = (family.formers().isEmpty()) ? MovedSubjects.ALL : new MovedSubjects();
		this.joint = joint;
		this.ownTail = keys.tail(family.scope(), family.label());
		this.keyTail = joint.map(EncodedJoint::keyTail).orElse(this.ownTail);
		this.index = joint.map((key) -> key.indexOf(family)).orElse(0);
		this.first = joint.map((key) -> encode(key.firstNumber(this.index))).orElse(FIRST);
		this.algorithm = encode(family.script());
		StraightLayout alone = StraightLayout.of(family.script());
		this.layout = joint.map(EncodedJoint::layout).orElse(alone);
		this.script = scripts.apply(List.of(alone));
		this.log = joint.isEmpty() && this.script.weight(1) >= StraightLayout.SET_WEIGHT;
	}

	/**
	 * What follows the subject in the key that the state lies in.
	 * @return the end of each key
	 */
	byte[] keyTail() {
		return this.keyTail;
	}

	/**
	 * What follows the subject in the name of one bucket.
	 * @return the end of a key that has this limit's alone
	 */
	byte[] ownTail() {
		return this.ownTail;
	}

	/**
	 * The name of the algorithm's twin in Lua.
	 * @return the name
	 */
	byte[] algorithm() {
		return this.algorithm;
	}

	/**
	 * The script for one bucket of this family that has a key of its own.
	 * @return the script
	 */
	LuaScript script() {
		return this.script;
	}

	/**
	 * What the key holds.
	 * @return the layout
	 */
	StraightLayout layout() {
		return this.layout;
	}

	/**
	 * How much more of a server's time a charge or correction of several units takes: a
	 * log has an entry for each.
	 * @param units the units
	 * @return the weight
	 */
	int weightOf(long units) {
		return (this.log) ? (int) Math.min(MAX_WEIGHT, Math.abs(units)) : 0;
	}

	/**
	 * The joint key.
	 * @return what lies with the states of this family, if they have no own keys
	 */
	Optional<EncodedJoint> joint() {
		return this.joint;
	}

	/**
	 * Which of the joint key's limits this is.
	 * @return the index
	 */
	int index() {
		return this.index;
	}

	/**
	 * Which subjects need not be moved from former limits.
	 * @return the subjects
	 */
	MovedSubjects moved() {
		return this.moved;
	}

	/**
	 * Add what the frames need of a bucket.
	 * @param nowMillis the time of this instance
	 * @param functions what the buckets of the script lie in
	 * @param arguments where to add
	 */
	void addTo(List<byte[]> arguments, LuaFunctions functions, long nowMillis) {
		addTo(arguments, functions, this.joint.map(EncodedJoint::header).orElse(NO_HEADER), this.first, nowMillis);
	}

	void addTo(List<byte[]> arguments, LuaFunctions functions, byte[] header, byte[] firstNumber, long nowMillis) {
		arguments.add(arguments(nowMillis));
		if (functions == LuaFunctions.ANY) {
			arguments.add(header);
			arguments.add(firstNumber);
		}
	}

	/**
	 * The algorithm's numbers, encoded again only when they change.
	 * @param nowMillis the time of this instance
	 * @return the numbers, packed
	 */
	byte[] arguments(long nowMillis) {
		long[] numbers = this.arithmetic.luaArguments(nowMillis);
		Arguments current = this.arguments;
		if (current.numbers != numbers) {
			current = Arguments.of(numbers);
			this.arguments = current;
		}
		return current.packed;
	}

	static byte[] encode(long number) {
		return encode(Long.toString(number));
	}

	static byte[] encode(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private record Arguments(long[] numbers, byte[] packed) {

		// All are below 2^53.
		static Arguments of(long[] numbers) {
			ByteBuffer packed = ByteBuffer.allocate(8 * numbers.length).order(ByteOrder.LITTLE_ENDIAN);
			for (long number : numbers) {
				packed.putDouble(number);
			}
			return new Arguments(numbers, packed.array());
		}

	}

}
