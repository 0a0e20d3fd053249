package dev.ratelimit.store.redis;

import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.JointKey;
import dev.ratelimit.store.JointKey.Member;

/**
 * What of a joint key goes over the wire, encoded once: its header, which says what lies
 * in it, and the limits' own numbers. Thread-safe.
 */
final class EncodedJoint {

	private final JointKey key;

	private final byte[] keyTail;

	private final byte[] header;

	private final StraightLayout layout;

	private final LuaScript script;

	private volatile Arguments arguments = new Arguments(new byte[0][], new byte[0]);

	EncodedJoint(JointKey key, byte[] keyTail, RedisClock clock) {
		this.key = key;
		this.keyTail = keyTail;
		this.header = header(key.members());
		this.layout = layout(key.members(), this.header.length);
		this.script = LuaScript.fewBuckets(clock, List.of(this.layout));
	}

	private static byte[] header(List<Member> members) {
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

	/**
	 * The header of a key in which another limit lies behind these.
	 * @param other the other limit's record
	 * @return the header
	 */
	byte[] headerWith(Member other) {
		return header(Stream.concat(this.key.members().stream(), Stream.of(other)).toList());
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
	 * The script for all limits and nothing else.
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

	Member member(int index) {
		return this.key.members().get(index);
	}

	/**
	 * Where the numbers of a limit begin.
	 * @param index which limit; one behind the last for the end
	 * @return the number's index, from 1
	 */
	int firstNumber(int index) {
		return 1 + this.key.members().subList(0, index).stream().mapToInt(Member::numbers).sum();
	}

	/**
	 * The numbers of all limits, put together again only when they change.
	 * @param parts those of each
	 * @return all, packed
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
