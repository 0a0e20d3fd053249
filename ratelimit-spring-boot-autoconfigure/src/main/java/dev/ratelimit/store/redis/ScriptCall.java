package dev.ratelimit.store.redis;

/**
 * A call of a script. The arrays are not copied, and nobody changes them.
 *
 * @param script the script
 * @param keys its keys
 * @param arguments its arguments
 */
record ScriptCall(LuaScript script, byte[][] keys, byte[][] arguments) {
}
