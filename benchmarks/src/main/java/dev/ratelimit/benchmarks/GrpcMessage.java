package dev.ratelimit.benchmarks;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Creates and reads messages of gRPC in their binary format.
 */
final class GrpcMessage {

	/**
	 * The length of the prefix of a message: one byte that shows whether the message is
	 * compressed, and four bytes for the length of the message.
	 */
	static final int PREFIX = 5;

	/** {@code overall_code} with the value {@code OK}, the first field of a response. */
	private static final byte[] OK = { 8, 1 };

	private static final int STRING_1 = 1 << 3 | 2;

	private static final int STRING_2 = 2 << 3 | 2;

	private GrpcMessage() {
	}

	/**
	 * Return a request to Envoy's rate limit service, with one entry in each descriptor:
	 * {@code d1}, {@code d2}, and so on.
	 * @param descriptors the number of descriptors
	 * @return the message
	 */
	static byte[] rateLimitRequest(int descriptors) {
		ByteArrayOutputStream request = new ByteArrayOutputStream();
		field(request, STRING_1, text("bench"));
		for (int i = 1; i <= descriptors; i++) {
			ByteArrayOutputStream entry = new ByteArrayOutputStream();
			field(entry, STRING_1, text("d" + i));
			field(entry, STRING_2, text("alice"));
			ByteArrayOutputStream descriptor = new ByteArrayOutputStream();
			field(descriptor, STRING_1, entry.toByteArray());
			field(request, STRING_2, descriptor.toByteArray());
		}
		return request.toByteArray();
	}

	static boolean isAllowed(byte[] rateLimitResponse) {
		return Arrays.equals(rateLimitResponse, 0, OK.length, OK, 0, OK.length);
	}

	/**
	 * Write a message to a file, with its prefix.
	 * @param message the message
	 * @return the file, which is deleted when this process ends
	 */
	static Path file(byte[] message) {
		try {
			Path file = Files.createTempFile("grpc", ".bin");
			file.toFile().deleteOnExit();
			return Files.write(file,
					ByteBuffer.allocate(PREFIX + message.length)
						.put((byte) 0)
						.putInt(message.length)
						.put(message)
						.array());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static byte[] unwrapped(byte[] answer) {
		return Arrays.copyOfRange(answer, PREFIX, answer.length);
	}

	// All lengths are below 128, so that each of them is one byte.
	private static void field(ByteArrayOutputStream to, int tag, byte[] value) {
		to.write(tag);
		to.write(value.length);
		to.writeBytes(value);
	}

	private static byte[] text(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

}
