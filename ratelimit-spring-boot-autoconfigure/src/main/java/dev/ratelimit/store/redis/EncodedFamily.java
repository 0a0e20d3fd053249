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
 * The part of a family that is sent with each charge, encoded once. Thread-safe.
 */
final class EncodedFamily {

	private static final byte[] NO_HEADER = {};

	private static final byte[] FIRST = encode(1);

	private static final long MAX_WEIGHT = 1_000_000;

	private final LimitCalculator calculator;

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
		this.calculator = family.calculator().heldBy(holder);
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
	 * Return the part of a key behind the subject, for the key that contains the state.
	 * @return the end of the key
	 */
	byte[] keyTail() {
		return this.keyTail;
	}

	/**
	 * Return the part of a key behind the subject, for a key of one bucket.
	 * @return the end of a key that contains only this limit's state
	 */
	byte[] ownTail() {
		return this.ownTail;
	}

	/**
	 * Return the name of the Lua implementation of the algorithm.
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
	 * Return the layout of the key that contains the state.
	 * @return the layout
	 */
	StraightLayout layout() {
		return this.layout;
	}

	/**
	 * Return the additional server time that a charge of several units takes: a log has
	 * an entry for each unit.
	 * @param units the units
	 * @return the weight; 0 if the algorithm keeps no log, or if the charge never fits
	 */
	int weightOf(long units) {
		return (this.log && units <= this.calculator.capacity()) ? (int) Math.min(MAX_WEIGHT, units) : 0;
	}

	/**
	 * The joint key.
	 * @return the joint key that contains the states of this family; empty if they have
	 * keys of their own
	 */
	Optional<EncodedJoint> joint() {
		return this.joint;
	}

	/**
	 * Return the index of this limit in the joint key.
	 * @return the index
	 */
	int index() {
		return this.index;
	}

	/**
	 * Return the subjects that need not be moved from former limits.
	 * @return the subjects
	 */
	MovedSubjects moved() {
		return this.moved;
	}

	/**
	 * Add the arguments that the frames need for a bucket.
	 * @param nowMillis the time of this instance
	 * @param functions the functions for the keys of the script
	 * @param arguments the list to add them to
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
	 * The algorithm's numbers, which are encoded again only when they change.
	 * @param nowMillis the time of this instance
	 * @return the numbers, packed
	 */
	byte[] arguments(long nowMillis) {
		long[] numbers = this.calculator.luaArguments(nowMillis);
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

		// All numbers are below 2^53, so that they are exact as doubles.
		static Arguments of(long[] numbers) {
			ByteBuffer packed = ByteBuffer.allocate(8 * numbers.length).order(ByteOrder.LITTLE_ENDIAN);
			for (long number : numbers) {
				packed.putDouble(number);
			}
			return new Arguments(numbers, packed.array());
		}

	}

}
