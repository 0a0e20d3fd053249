package dev.ratelimit.store.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * An algorithm in Lua: a file with parts, each with a heading. All parts may read
 * {@code now} and the arguments. If a state always consists of the same few numbers, the
 * part {@code state} contains their names, and the frames read and write them. Otherwise,
 * the other parts call Redis with {@code key}.
 *
 * @param arguments the names of the algorithm's numbers, in the order of
 * {@link dev.ratelimit.algorithm.LimitCalculator#luaArguments}
 * @param state the names of the numbers of a state, which are 0 in an unused bucket;
 * empty if the length of a state varies
 * @param ahead the condition that times in the state exceed their maximum, because the
 * clock was set back; empty if {@code look} checks and limits the state itself
 * @param cut limits the times in the state to their maximum, and sets {@code ttl}, like
 * {@link dev.ratelimit.algorithm.LimitCalculator#cut}
 * @param look reads {@code cost}; sets {@code fits}; writes nothing else
 * @param reply the numbers seen: those of
 * {@link dev.ratelimit.algorithm.LimitCalculator#look}
 * @param take sets the new state and {@code ttl}, its lifetime in milliseconds, or writes
 * the state
 * @param settle adds {@code units} that were taken at {@code taken}, if they have not
 * refilled since; if they are negative, refunds units of a charge at that time; sets the
 * new state and {@code ttl}, which is 0 if no state remains and unset if nothing changes;
 * or writes the state
 * @param used sets {@code used}, the units used, rounded up
 */
record LuaFragment(List<String> arguments, List<String> state, String ahead, String cut, String look,
		List<String> reply, String take, String settle, String used) {

	private static final String LOCATION = "META-INF/ratelimit/lua/";

	private static final Pattern PART = Pattern
		.compile("(?ms)^-- (arguments|state|ahead|cut|prepare|look|reply|take|settle|used)\n(.*?)(?=^-- [a-z]+\n|\\z)");

	/**
	 * The fragment of an algorithm.
	 * @param algorithm the name of its file
	 * @return the fragment
	 */
	static LuaFragment of(String algorithm) {
		Map<String, String> parts = new HashMap<>();
		for (MatchResult part : PART.matcher(resource(algorithm)).results().toList()) {
			parts.put(part.group(1), part.group(2));
		}
		// This part is the beginning of look, settle, and used.
		String prepare = parts.getOrDefault("prepare", "");
		return new LuaFragment(names(algorithm, parts, "arguments"),
				(parts.containsKey("state")) ? names(algorithm, parts, "state") : List.of(),
				parts.getOrDefault("ahead", "").strip(), parts.getOrDefault("cut", ""),
				prepare + part(algorithm, parts, "look"), names(algorithm, parts, "reply"),
				part(algorithm, parts, "take"), prepare + part(algorithm, parts, "settle"),
				prepare + part(algorithm, parts, "used"));
	}

	private static List<String> names(String algorithm, Map<String, String> parts, String name) {
		return List.of(part(algorithm, parts, name).trim().split(",\\s*"));
	}

	private static String part(String algorithm, Map<String, String> parts, String name) {
		String text = parts.get(name);
		if (text == null) {
			throw new IllegalStateException(algorithm + ".lua has no part '" + name + "'");
		}
		return text.strip() + "\n";
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

	/**
	 * Return the code that reads the packed arguments.
	 * @param source the expression for the packed arguments
	 * @return the code
	 */
	String readArguments(String source) {
		return "local " + String.join(", ", this.arguments) + " = struct.unpack('<" + "d".repeat(this.arguments.size())
				+ "', " + source + ")\n";
	}

	/**
	 * Return the code that reads the state from the bucket's own key: one integer, or
	 * several integers in a text.
	 * @return the code
	 */
	String readKey() {
		if (this.state.size() == 1) {
			return this.state.get(0) + " = tonumber(call('GET', key) or 0)\n";
		}
		String names = joinedState();
		return names + " = 0" + ", 0".repeat(this.state.size() - 1)
				+ "\nlocal value = call('GET', key)\nif value then\n" + names + " = string.match(value, '"
				+ "(%d+) ".repeat(this.state.size()).trim() + "')\n" + names + " = tonumber("
				+ String.join("), tonumber(", this.state) + ")\nend\n";
	}

	/**
	 * Return the code that writes the state to the bucket's own key.
	 * @return the code
	 */
	String writeKey() {
		return "call('SET', key, format('" + "%d ".repeat(this.state.size()).trim() + "', " + joinedState()
				+ "), 'PX', format('%d', ttl))\n";
	}

	/**
	 * Return the code that limits the times in a state that was read, and writes the
	 * state immediately. A rejected request would not write it, and the next request
	 * would find times that are equally far ahead.
	 * @param write the code that writes the state
	 * @return the code
	 */
	String cut(String write) {
		return "if " + this.ahead + " then\nlocal ttl\n" + this.cut + write + "end\n";
	}

	String joinedState() {
		return String.join(", ", this.state);
	}

	boolean hasState() {
		return !this.state.isEmpty();
	}

}
