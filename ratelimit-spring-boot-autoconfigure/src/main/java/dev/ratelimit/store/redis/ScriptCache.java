package dev.ratelimit.store.redis;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

import dev.ratelimit.store.Bucket;

/**
 * The scripts of one frame, by the algorithms and the kinds of keys. Thread-safe.
 */
final class ScriptCache {

	private final Writer writer;

	private final Map<Needs, LuaScript> scripts = new ConcurrentHashMap<>();

	ScriptCache(Writer writer) {
		this.writer = writer;
	}

	/**
	 * Return the script for some buckets.
	 * @param buckets the buckets
	 * @param functions the functions for the keys of the buckets
	 * @return the script
	 */
	LuaScript get(Collection<Bucket> buckets, LuaFunctions functions) {
		Set<String> algorithms = new TreeSet<>();
		buckets.forEach((bucket) -> algorithms.add(bucket.family().script()));
		return this.scripts.computeIfAbsent(new Needs(algorithms, functions),
				(needs) -> this.writer.write(needs.algorithms, needs.functions));
	}

	/**
	 * Writes a script.
	 */
	interface Writer {

		LuaScript write(Set<String> algorithms, LuaFunctions functions);

	}

	private record Needs(Set<String> algorithms, LuaFunctions functions) {
	}

}
