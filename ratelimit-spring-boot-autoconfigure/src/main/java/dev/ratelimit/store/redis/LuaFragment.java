package dev.ratelimit.store.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * An algorithm in Lua: a file with two parts, each with a heading.
 *
 * @param look reads {@code key}, {@code cost}, {@code now} and arguments from {@code at}
 * on; sets {@code fits}, {@code state} and {@code following}, the index behind its
 * arguments; writes nothing
 * @param take writes what the look has worked out
 */
record LuaFragment(String look, String take) {

	private static final String LOCATION = "META-INF/ratelimit/lua/";

	private static final String LOOK = "-- look\n";

	private static final String TAKE = "-- take\n";

	static LuaFragment of(String algorithm) {
		String text = resource(algorithm);
		int look = text.indexOf(LOOK);
		int take = text.indexOf(TAKE);
		if (look < 0 || take < look) {
			throw new IllegalStateException(algorithm + ".lua lacks its parts 'look' and 'take'");
		}
		return new LuaFragment(text.substring(look + LOOK.length(), take), text.substring(take + TAKE.length()));
	}

	static String resource(String name) {
		try (InputStream lua = LuaFragment.class.getClassLoader().getResourceAsStream(LOCATION + name + ".lua")) {
			if (lua == null) {
				throw new IllegalStateException("no " + LOCATION + name + ".lua on the class path");
			}
			return new String(lua.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
