package dev.ratelimit.store.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.TreeSet;

/**
 * The script that decides demands over a set of algorithms: a fragment per algorithm and
 * the frame that joins them. Nothing in it comes from a caller or from configuration.
 */
final class LuaScript {

	static final String LOCATION = "META-INF/ratelimit/lua/";

	private final byte[] text;

	private final byte[] sha;

	private LuaScript(String text) {
		this.text = text.getBytes(StandardCharsets.UTF_8);
		this.sha = HexFormat.of().formatHex(sha1(this.text)).getBytes(StandardCharsets.US_ASCII);
	}

	/**
	 * Assemble the script of some algorithms.
	 * @param algorithms the ids
	 * @return the script, the same text for the same set
	 */
	static LuaScript of(Collection<String> algorithms) {
		StringBuilder text = new StringBuilder("local algorithms = {}\n");
		for (String algorithm : new TreeSet<>(algorithms)) {
			text.append(resource(algorithm));
		}
		return new LuaScript(text.append(resource("frame")).toString());
	}

	byte[] text() {
		return this.text;
	}

	byte[] sha() {
		return this.sha;
	}

	private static String resource(String name) {
		try (InputStream lua = LuaScript.class.getClassLoader().getResourceAsStream(LOCATION + name + ".lua")) {
			if (lua == null) {
				throw new IllegalStateException("no " + LOCATION + name + ".lua on the class path");
			}
			return new String(lua.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static byte[] sha1(byte[] text) {
		try {
			return MessageDigest.getInstance("SHA-1").digest(text);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("every Java platform has SHA-1", ex);
		}
	}

}
