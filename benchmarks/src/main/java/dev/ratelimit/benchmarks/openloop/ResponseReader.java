package dev.ratelimit.benchmarks.openloop;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Reads the status of a response, once the response is complete.
 */
final class ResponseReader {

	private static final int LARGEST = 8192;

	private static final String END_OF_FIELDS = "\r\n\r\n";

	private static final String LENGTH = "\r\ncontent-length:";

	private final ByteBuffer bytes = ByteBuffer.allocate(LARGEST);

	/** Return the buffer to read into. */
	ByteBuffer target() {
		return this.bytes;
	}

	boolean isEmpty() {
		return this.bytes.position() == 0;
	}

	void clear() {
		this.bytes.clear();
	}

	/**
	 * Return the status of the response; incomplete until all of it has arrived.
	 */
	Status status() {
		String text = new String(this.bytes.array(), 0, this.bytes.position(), StandardCharsets.ISO_8859_1);
		int fields = text.indexOf(END_OF_FIELDS);
		if (fields < 0) {
			return Status.INCOMPLETE;
		}
		String head = text.substring(0, fields + 2).toLowerCase(Locale.ROOT);
		if (!isComplete(head, text.substring(fields + END_OF_FIELDS.length()))) {
			return Status.INCOMPLETE;
		}
		return new Status(Integer.parseInt(head.substring(9, 12)), !head.contains("\r\nconnection: close\r\n"));
	}

	private static boolean isComplete(String head, String body) {
		if (head.contains("\r\ntransfer-encoding: chunked\r\n")) {
			return body.endsWith("0\r\n\r\n");
		}
		int length = head.indexOf(LENGTH);
		if (length < 0) {
			return true;
		}
		int start = length + LENGTH.length();
		return body.length() >= Integer.parseInt(head.substring(start, head.indexOf('\r', start)).trim());
	}

	/**
	 * The status of a response.
	 *
	 * @param code the status code; 0 if the response is not complete yet
	 * @param keptAlive whether the connection can be used again
	 */
	record Status(int code, boolean keptAlive) {

		static final Status INCOMPLETE = new Status(0, true);

		boolean isComplete() {
			return this.code != 0;
		}

		boolean isGood() {
			return this.code / 100 == 2;
		}

	}

}
