package dev.ratelimit.http;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Collects the errors that applications log. Errors of Netty are excluded, because
 * Lettuce may still be closing a connection of an application that another test has
 * closed.
 */
final class ErrorLog {

	private static final Pattern ERROR = Pattern.compile(" ERROR .*--- .*");

	private static final Pattern OF_NETTY = Pattern.compile("\\] (io\\.netty|i\\.n)\\.\\S+ +: ");

	private ErrorLog() {
	}

	static List<String> lines(CharSequence output) {
		return output.toString()
			.lines()
			.filter((line) -> ERROR.matcher(line).find() && !OF_NETTY.matcher(line).find())
			.toList();
	}

}
