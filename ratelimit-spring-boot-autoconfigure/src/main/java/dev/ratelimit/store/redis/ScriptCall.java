package dev.ratelimit.store.redis;

import java.util.List;

/**
 * A call of a script. The arrays are not copied, and must not be changed.
 *
 * @param script the script
 * @param keys its keys
 * @param arguments its arguments
 * @param weight the approximate server time that the call takes, in the unit of
 * {@link StraightLayout#WEIGHT}
 */
record ScriptCall(LuaScript script, byte[][] keys, byte[][] arguments, int weight) {

	ScriptCall(LuaScript script, byte[][] keys, byte[][] arguments) {
		this(script, keys, arguments, script.weight(keys.length));
	}

	/**
	 * Return this call with additional weight.
	 * @param more the additional weight
	 * @return the call
	 */
	ScriptCall heavier(int more) {
		return (more > 0) ? new ScriptCall(this.script, this.keys, this.arguments, this.weight + more) : this;
	}

	static ScriptCall of(LuaScript script, List<byte[]> keys, List<byte[]> arguments) {
		return new ScriptCall(script, keys.toArray(byte[][]::new), arguments.toArray(byte[][]::new));
	}

}
