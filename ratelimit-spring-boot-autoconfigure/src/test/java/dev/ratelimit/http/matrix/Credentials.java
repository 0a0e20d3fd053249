package dev.ratelimit.http.matrix;

import dev.ratelimit.http.HttpProbe;

/**
 * The credentials of a request.
 */
enum Credentials {

	NONE, WRONG, RIGHT;

	static final String PASSWORD = "secret";

	static String right(String user) {
		return HttpProbe.basic(user, PASSWORD);
	}

	static String wrong(String user) {
		return HttpProbe.basic(user, "guess");
	}

	String line(String user) {
		return switch (this) {
			case NONE -> "";
			case WRONG -> "Authorization: " + wrong(user) + "\r\n";
			case RIGHT -> "Authorization: " + right(user) + "\r\n";
		};
	}

}
