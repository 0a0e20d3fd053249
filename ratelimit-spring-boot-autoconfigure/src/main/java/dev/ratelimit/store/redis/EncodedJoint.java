package dev.ratelimit.store.redis;

import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.function.Function;

import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.JointKey;
import dev.ratelimit.store.JointKey.Member;

/**
 * The part of a joint key that is sent with each charge, encoded once: its header, which
 * describes its content, and the numbers of the limits. Thread-safe.
 */
final class EncodedJoint {

	private final JointKey key;

	private final byte[] keyTail;

	private final byte[] header;

	private final StraightLayout layout;

	private final LuaScript script;

	private volatile Arguments arguments = new Arguments(new byte[0][], new byte[0]);

	EncodedJoint(JointKey key, byte[] keyTail, Function<List<StraightLayout>, LuaScript> scripts) {
		this.key = key;
		this.keyTail = keyTail;
		this.header = header(key.members());
		this.layout = layout(key.members(), this.header.length);
		this.script = scripts.apply(List.of(this.layout));
	}

	/**
	 * The header of a key that contains some limits.
	 * @param members the limits
	 * @return the header
	 */
	static byte[] header(List<Member> members) {
		ByteArrayOutputStream header = new ByteArrayOutputStream();
		header.write(members.size());
		for (Member member : members) {
			header.write(member.tag());
			header.write(member.tag() >> 8);
			header.write(member.tag() >> 16);
		}
		return header.toByteArray();
	}

	private static StraightLayout layout(List<Member> members, int headerLength) {
		StringBuilder format = new StringBuilder("<c").append(headerLength);
		int length = headerLength;
		for (Member member : members) {
			format.append(("I" + member.bytes()).repeat(member.numbers()));
			length += member.bytes() * member.numbers();
		}
		return new StraightLayout(members.stream().map(Member::script).toList(), format.toString(), length);
	}

	byte[] keyTail() {
		return this.keyTail;
	}

	byte[] header() {
		return this.header;
	}

	StraightLayout layout() {
		return this.layout;
	}

	/**
	 * The script for all limits of the key and no other bucket.
	 * @return the script
	 */
	LuaScript script() {
		return this.script;
	}

	int size() {
		return this.key.members().size();
	}

	int indexOf(BucketFamily family) {
		return this.key.indexOf(family.label());
	}

	List<Member> members() {
		return this.key.members();
	}

	/**
	 * Return the index of the first number of a limit.
	 * @param index the index of the limit; the number of limits for the end
	 * @return the index of the number, from 1
	 */
	int firstNumber(int index) {
		return firstNumber(this.key.members(), index);
	}

	static int firstNumber(List<Member> members, int index) {
		return 1 + members.subList(0, index).stream().mapToInt(Member::numbers).sum();
	}

	/**
	 * The numbers of all limits, which are joined again only when they change.
	 * @param parts the numbers of each limit
	 * @return all numbers, packed
	 */
	byte[] arguments(byte[][] parts) {
		Arguments current = this.arguments;
		if (!current.consistsOf(parts)) {
			current = Arguments.of(parts);
			this.arguments = current;
		}
		return current.joined;
	}

	private record Arguments(byte[][] parts, byte[] joined) {

		static Arguments of(byte[][] parts) {
			ByteArrayOutputStream joined = new ByteArrayOutputStream();
			for (byte[] part : parts) {
				joined.writeBytes(part);
			}
			return new Arguments(parts, joined.toByteArray());
		}

		boolean consistsOf(byte[][] others) {
			boolean same = this.parts.length == others.length;
			for (int i = 0; same && i < others.length; i++) {
				same = this.parts[i] == others[i];
			}
			return same;
		}

	}

}
