package dev.ratelimit.fault;

import java.util.Locale;

/**
 * The properties of a response that tests need.
 *
 * @param status the status
 * @param length the length of the body
 * @param counted whether it has rate limit fields
 * @param closing whether the server closes the connection
 */
record ResponseHead(int status, int length, boolean counted, boolean closing) {

	private static final String LENGTH = "\ncontent-length:";

	static ResponseHead of(String text) {
		String head = text.toLowerCase(Locale.ROOT);
		return new ResponseHead(Integer.parseInt(head.substring(9, 12)), length(head), head.contains("\nratelimit:"),
				head.contains("\nconnection: close"));
	}

	private static int length(String head) {
		int at = head.indexOf(LENGTH);
		if (at < 0) {
			throw new IllegalStateException("no length: " + head);
		}
		return Integer.parseInt(head.substring(at + LENGTH.length(), head.indexOf('\r', at)).trim());
	}

}
