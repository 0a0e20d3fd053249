package dev.ratelimit.store.redis;

import java.util.List;
import java.util.regex.Pattern;

/**
 * What a key of a request holds: one bucket, or those of all limits of a joint key.
 * Scripts for equal layouts are equal.
 *
 * @param algorithms the algorithms' names in Lua
 * @param format of a joint key's value, as {@code struct.pack} takes it; empty for the
 * key of one bucket
 * @param length of a joint key's value
 */
record StraightLayout(List<String> algorithms, String format, int length) {

	/**
	 * What a decision on a bucket of one number takes of a server's time: about 3 us.
	 * Others were measured beside it.
	 */
	static final int WEIGHT = 5;

	/** The same for a bucket in a sorted set. */
	static final int SET_WEIGHT = 13;

	private static final Pattern REMARK = Pattern.compile("(?m)^-- .*\n");

	StraightLayout {
		algorithms = List.copyOf(algorithms);
	}

	static StraightLayout of(String algorithm) {
		return new StraightLayout(List.of(algorithm), "", 0);
	}

	/**
	 * How much of a server's time the key takes.
	 * @return the weight
	 */
	int weight() {
		int limits = this.algorithms.size();
		if (!this.format.isEmpty()) {
			return WEIGHT + limits - 1;
		}
		int numbers = LuaFragment.of(this.algorithms.get(0)).state().size();
		return (numbers > 0) ? WEIGHT + 2 * (numbers - 1) : SET_WEIGHT;
	}

	/**
	 * Reads the numbers. Mostly the last writer had the same limits.
	 * @param numbers their names
	 * @return the code
	 */
	String read(List<String> numbers) {
		String names = String.join(", ", numbers);
		String unpack = "known, " + names + " = struct.unpack('" + this.format + "', value)\n";
		return "local longest, others, " + names + " = 0, ''" + ", 0".repeat(numbers.size())
				+ "\nlocal value = call('GET', key)\nif value then\nlocal known\nif #value == " + this.length
				+ " then\n" + unpack + "end\nif known ~= header then\n"
				+ withoutRemarks(LuaFragment.resource("joint-lifetime"))
				+ withoutRemarks(LuaFragment.resource("joint-sort"))
				+ "value, others, longest = sort(key, value, header)\n" + unpack + "end\nend\n";
	}

	/**
	 * Writes the numbers.
	 * @param numbers their names
	 * @return the code
	 */
	String write(List<String> numbers) {
		return "call('SET', key, struct.pack('" + this.format + "', header, " + String.join(", ", numbers)
				+ ") .. others, 'PX', format('%d', longest))\n";
	}

	private static String withoutRemarks(String lua) {
		return REMARK.matcher(lua).replaceAll("");
	}

}
