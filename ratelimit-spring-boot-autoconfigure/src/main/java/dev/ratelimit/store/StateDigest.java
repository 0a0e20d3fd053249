package dev.ratelimit.store;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Digests of what gives a state its meaning.
 */
final class StateDigest {

	/** Changes with the format of the states, so that versions live side by side. */
	private static final String FORMAT = "1";

	private static final int BYTES = 4;

	private StateDigest() {
	}

	static String text(String meaning) {
		return HexFormat.of().formatHex(sha256(FORMAT + " " + meaning), 0, BYTES);
	}

	static int number(String text) {
		byte[] hash = sha256(text);
		return (hash[0] & 0xff) << 16 | (hash[1] & 0xff) << 8 | hash[2] & 0xff;
	}

	private static byte[] sha256(String text) {
		try {
			return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("every Java platform has SHA-256", ex);
		}
	}

}
