package dev.ratelimit.store.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * An algorithm in Lua: a file with parts, each with a heading. All may read {@code key},
 * {@code now} and arguments from {@code at} on. What look, settle and used have in common
 * may stand before them in a part {@code state}.
 *
 * @param look reads {@code cost}; sets {@code fits}, and {@code following}, the index
 * behind its arguments; writes nothing
 * @param reply the numbers seen, separated by commas: those of
 * {@link dev.ratelimit.algorithm.LimitCalculator#look}
 * @param take writes what the look has worked out
 * @param settle adds {@code units}, negative to give back, to a charge that was taken at
 * {@code taken}; sets {@code following}
 * @param used reads a key that exists; sets {@code used}, the units used, rounded up, and
 * {@code following}
 */
record LuaFragment(String look, String reply, String take, String settle, String used) {

	private static final String LOCATION = "META-INF/ratelimit/lua/";

	private static final String STATE = "-- state\n";

	static LuaFragment of(String algorithm) {
		String text = resource(algorithm);
		String[] parts = text.split("(?m)^-- (look|reply|take|settle|used)\n", -1);
		if (parts.length != 6) {
			throw new IllegalStateException(
					algorithm + ".lua lacks one of its parts look, reply, take, settle and used");
		}
		int state = parts[0].indexOf(STATE);
		String common = (state < 0) ? "" : parts[0].substring(state + STATE.length());
		return new LuaFragment(common + parts[1], parts[2].trim(), parts[3], common + parts[4], common + parts[5]);
	}

	static String resource(String name) {
		try (InputStream lua = LuaFragment.class.getClassLoader().getResourceAsStream(LOCATION + name + ".lua")) {
			if (lua == null) {
				throw new IllegalStateException("no " + LOCATION + name + ".lua on the classpath");
			}
			return new String(lua.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
