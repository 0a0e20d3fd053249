package dev.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;

/**
 * Writes requests in the protocol of Redis: an array of bulk strings.
 *
 * @see <a href="https://redis.io/docs/latest/develop/reference/protocol-spec/">RESP</a>
 */
final class Resp {

	private static final byte[] END = { '\r', '\n' };

	/** Heads that are written often. */
	private static final byte[][] SIZES = heads('*', 64);

	private static final byte[][] LENGTHS = heads('$', 128);

	private static final byte[][] NUMBERS = new byte[64][];

	static {
		for (int number = 0; number < NUMBERS.length; number++) {
			NUMBERS[number] = strings(Integer.toString(number).getBytes(StandardCharsets.US_ASCII));
		}
	}

	private Resp() {
	}

	static void array(ByteBuf buf, int size) {
		buf.writeBytes((size < SIZES.length) ? SIZES[size] : head('*', size));
	}

	static void number(ByteBuf buf, int number) {
		buf.writeBytes((number < NUMBERS.length) ? NUMBERS[number]
				: strings(Integer.toString(number).getBytes(StandardCharsets.US_ASCII)));
	}

	static void write(ByteBuf buf, byte[][] strings) {
		for (byte[] string : strings) {
			int length = string.length;
			buf.writeBytes((length < LENGTHS.length) ? LENGTHS[length] : head('$', length));
			buf.writeBytes(string);
			buf.writeBytes(END);
		}
	}

	/**
	 * Strings as they are sent.
	 * @param strings the strings
	 * @return all of them, each with its length
	 */
	static byte[] strings(byte[]... strings) {
		ByteBuf buf = Unpooled.buffer();
		write(buf, strings);
		return ByteBufUtil.getBytes(buf);
	}

	private static byte[][] heads(char type, int count) {
		return IntStream.range(0, count).mapToObj((number) -> head(type, number)).toArray(byte[][]::new);
	}

	private static byte[] head(char type, int number) {
		return (type + Integer.toString(number) + "\r\n").getBytes(StandardCharsets.US_ASCII);
	}

}
