package dev.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;

import io.netty.buffer.ByteBuf;

/**
 * Writes requests in the protocol of Redis: an array of bulk strings.
 *
 * @see <a href="https://redis.io/docs/latest/develop/reference/protocol-spec/">RESP</a>
 */
final class Resp {

	private static final byte[] END = { '\r', '\n' };

	/** Frequent heads of arrays, encoded in advance. */
	private static final byte[][] SIZES = heads('*', 256);

	private static final byte[][] LENGTHS = heads('$', 256);

	private static final byte[][] NUMBERS = IntStream.range(0, 128)
		.mapToObj((number) -> strings(Integer.toString(number).getBytes(StandardCharsets.US_ASCII)))
		.toArray(byte[][]::new);

	private Resp() {
	}

	/**
	 * Write the call of a script. The call is built in an array, because a buffer checks
	 * its bounds for each string.
	 * @param buf the buffer to write to
	 * @param start the command and the script, as they are sent
	 * @param keys the keys
	 * @param arguments the arguments
	 */
	static void call(ByteBuf buf, byte[] start, byte[][] keys, byte[][] arguments) {
		byte[] size = head(SIZES, '*', 3 + keys.length + arguments.length);
		byte[] number = (keys.length < NUMBERS.length) ? NUMBERS[keys.length]
				: strings(Integer.toString(keys.length).getBytes(StandardCharsets.US_ASCII));
		byte[] call = new byte[size.length + start.length + number.length + length(keys) + length(arguments)];
		int at = put(call, 0, size);
		at = put(call, at, start);
		at = put(call, at, number);
		put(call, put(call, at, keys), arguments);
		buf.writeBytes(call);
	}

	/**
	 * Encode strings as bulk strings.
	 * @param strings the strings
	 * @return all of them, each with its length
	 */
	static byte[] strings(byte[]... strings) {
		byte[] all = new byte[length(strings)];
		put(all, 0, strings);
		return all;
	}

	private static int length(byte[][] strings) {
		int length = 0;
		for (byte[] string : strings) {
			length += head(LENGTHS, '$', string.length).length + string.length + END.length;
		}
		return length;
	}

	private static int put(byte[] target, int from, byte[][] strings) {
		int at = from;
		for (byte[] string : strings) {
			at = put(target, at, head(LENGTHS, '$', string.length));
			at = put(target, at, string);
			at = put(target, at, END);
		}
		return at;
	}

	private static int put(byte[] target, int at, byte[] bytes) {
		System.arraycopy(bytes, 0, target, at, bytes.length);
		return at + bytes.length;
	}

	private static byte[] head(byte[][] often, char type, int number) {
		return (number < often.length) ? often[number] : head(type, number);
	}

	private static byte[][] heads(char type, int count) {
		return IntStream.range(0, count).mapToObj((number) -> head(type, number)).toArray(byte[][]::new);
	}

	private static byte[] head(char type, int number) {
		return (type + Integer.toString(number) + "\r\n").getBytes(StandardCharsets.US_ASCII);
	}

}
