package dev.ratelimit.store.redis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Joins calls of scripts to one call. The batch script for calls of one script contains
 * only this script. The batch script for calls of several scripts is extended when
 * another script is joined for the first time. Thread-safe.
 */
final class BatchScripts {

	/**
	 * Applications use few scripts. Calls of further scripts are joined only with calls
	 * of the same script.
	 */
	private static final int MAX_SCRIPTS = 32;

	private final RedisClock clock;

	private final Map<LuaScript, Batch> single = new ConcurrentHashMap<>();

	/** The scripts of mixed batches, now or with the next one. */
	private final Set<LuaScript> reserved = new LinkedHashSet<>();

	private volatile Batch mixed;

	BatchScripts(RedisClock clock) {
		this.clock = clock;
		this.mixed = new Batch(List.of(), clock);
	}

	/**
	 * Whether calls of two scripts may be in one batch.
	 * @param first the script of a call
	 * @param next the script of a call after it
	 * @return whether they are the same, or both among the scripts that mixed batches can
	 * run
	 */
	boolean mayJoin(LuaScript first, LuaScript next) {
		return first == next || (reserve(first) && reserve(next));
	}

	// Most scripts are in the batch already, which needs no lock.
	private boolean reserve(LuaScript script) {
		if (this.mixed.contains(script)) {
			return true;
		}
		synchronized (this) {
			return this.reserved.contains(script) || (this.reserved.size() < MAX_SCRIPTS && this.reserved.add(script));
		}
	}

	/**
	 * Join calls to one call.
	 * @param calls the calls, fewer than 256, of scripts that are made for batches, and
	 * that may be in one batch
	 * @return the call that runs all of them in this order
	 */
	ScriptCall join(List<ScriptCall> calls) {
		Batch batch = batch(calls);
		int keys = 0;
		int arguments = 1;
		for (ScriptCall call : calls) {
			keys += call.keys().length;
			arguments += call.arguments().length;
		}
		byte[][] allKeys = new byte[keys][];
		byte[][] allArguments = new byte[arguments][];
		byte[] shapes = new byte[4 * calls.size()];
		keys = 0;
		arguments = 1;
		for (int i = 0; i < calls.size(); i++) {
			ScriptCall call = calls.get(i);
			int length = call.arguments().length;
			shapes[4 * i] = (byte) batch.numberOf(call.script());
			shapes[4 * i + 1] = (byte) call.keys().length;
			shapes[4 * i + 2] = (byte) length;
			shapes[4 * i + 3] = (byte) (length >> 8);
			System.arraycopy(call.keys(), 0, allKeys, keys, call.keys().length);
			System.arraycopy(call.arguments(), 0, allArguments, arguments, length);
			keys += call.keys().length;
			arguments += length;
		}
		allArguments[0] = shapes;
		return new ScriptCall(batch.script, allKeys, allArguments, 0);
	}

	private Batch batch(List<ScriptCall> calls) {
		LuaScript first = calls.get(0).script();
		boolean same = true;
		for (int i = 1; same && i < calls.size(); i++) {
			same = calls.get(i).script() == first;
		}
		if (!same) {
			return mixed(calls);
		}
		Batch existing = this.single.get(first);
		return (existing != null) ? existing
				: this.single.computeIfAbsent(first, (script) -> new Batch(List.of(script), this.clock));
	}

	private Batch mixed(List<ScriptCall> calls) {
		Batch present = this.mixed;
		for (int i = 0; i < calls.size(); i++) {
			if (!present.contains(calls.get(i).script())) {
				return extended(calls);
			}
		}
		return present;
	}

	private synchronized Batch extended(List<ScriptCall> calls) {
		calls.forEach((call) -> this.reserved.add(call.script()));
		// In the same order on all instances, because Redis may never forget a script.
		List<LuaScript> sorted = new ArrayList<>(this.reserved);
		sorted.sort(Comparator.comparing(LuaScript::byDigest, Arrays::compare));
		this.mixed = new Batch(sorted, this.clock);
		return this.mixed;
	}

	/**
	 * A script that runs calls of other scripts.
	 */
	private static final class Batch {

		private final Map<LuaScript, Integer> numbers;

		private final LuaScript script;

		Batch(List<LuaScript> scripts, RedisClock clock) {
			this.numbers = IntStream.range(0, scripts.size())
				.boxed()
				.collect(Collectors.toMap(scripts::get, (index) -> index + 1));
			this.script = LuaScript.batch(clock, scripts);
		}

		boolean contains(LuaScript part) {
			return this.numbers.containsKey(part);
		}

		int numberOf(LuaScript part) {
			return this.numbers.getOrDefault(part, 0);
		}

	}

}
