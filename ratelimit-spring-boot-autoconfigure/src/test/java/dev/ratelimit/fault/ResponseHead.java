package dev.ratelimit.fault;

import java.util.Locale;

/**
 * What is to be known of a response.
 *
 * @param status its status
 * @param length of its body
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
