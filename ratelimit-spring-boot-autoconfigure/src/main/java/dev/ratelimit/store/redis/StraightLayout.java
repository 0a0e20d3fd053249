package dev.ratelimit.store.redis;

import java.util.List;
import java.util.regex.Pattern;

/**
 * The content of a key of a request: one bucket, or the buckets of all limits of a joint
 * key. Scripts for equal layouts are equal.
 *
 * @param algorithms the algorithms' names in Lua
 * @param format the format of a joint key's value for {@code struct.pack}; empty for the
 * key of one bucket
 * @param length the length of a joint key's value
 */
record StraightLayout(List<String> algorithms, String format, int length) {

	/**
	 * The weight of a decision on a bucket of one number: about 3 us of a server's time.
	 * The other weights were measured relative to it.
	 */
	static final int WEIGHT = 5;

	/** The weight of a decision on a bucket in a sorted set. */
	static final int SET_WEIGHT = 13;

	private static final Pattern COMMENT_LINE = Pattern.compile("(?m)^-- .*\n");

	StraightLayout {
		algorithms = List.copyOf(algorithms);
	}

	static StraightLayout of(String algorithm) {
		return new StraightLayout(List.of(algorithm), "", 0);
	}

	/**
	 * Return the server time that the key takes.
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
	 * Write the code that reads the numbers. In most cases, the last writer had the same
	 * limits.
	 * @param numbers the names of the numbers
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
	 * Write the code that writes the numbers.
	 * @param numbers the names of the numbers
	 * @return the code
	 */
	String write(List<String> numbers) {
		return "call('SET', key, struct.pack('" + this.format + "', header, " + String.join(", ", numbers)
				+ ") .. others, 'PX', format('%d', longest))\n";
	}

	private static String withoutRemarks(String lua) {
		return COMMENT_LINE.matcher(lua).replaceAll("");
	}

}
