package dev.ratelimit.http;

import java.util.List;
import java.util.regex.Pattern;

/**
 * The errors that applications have logged. Netty's own are left out: Lettuce may still
 * close a connection of an application that another test has closed.
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
