package dev.ratelimit.store.redis;

import java.util.List;

/**
 * A call of a script. The arrays are not copied, and must not be changed.
 *
 * @param script the script
 * @param keys its keys
 * @param arguments its arguments
 */
record ScriptCall(LuaScript script, byte[][] keys, byte[][] arguments) {

	static ScriptCall of(LuaScript script, List<byte[]> keys, List<byte[]> arguments) {
		return new ScriptCall(script, keys.toArray(byte[][]::new), arguments.toArray(byte[][]::new));
	}

}
