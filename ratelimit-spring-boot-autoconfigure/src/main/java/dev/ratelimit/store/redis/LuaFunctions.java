package dev.ratelimit.store.redis;

import java.util.Collection;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The functions of an algorithm, for the frames that process buckets one by one. The
 * functions receive the position of the first argument of a bucket. The arguments of a
 * bucket are the numbers of the algorithm, packed. If keys may be joint, two more follow:
 * the header, which is empty for a key of the bucket's own, and the index of the bucket's
 * first number in the joint key.
 */
enum LuaFunctions {

	/** Each bucket has a key of its own. */
	OWN_KEYS,

	/** Buckets have keys of their own or are in joint keys. */
	ANY;

	/**
	 * Return the approximate server time that a frame takes with these functions: once
	 * for the call, and once for each key.
	 * @return the weight, in the unit of {@link StraightLayout#WEIGHT}
	 */
	int weight() {
		return (this == OWN_KEYS) ? 7 : 10;
	}

	/**
	 * Return the code that the functions and the frames need: the number of arguments
	 * that identify a bucket, and the function that writes joint keys.
	 * @return the code
	 */
	String prologue() {
		if (this == OWN_KEYS) {
			return "local width = 1\nlocal function save()\nend\n";
		}
		return "local width = 3\n" + LuaFragment.resource("joint-lifetime") + LuaFragment.resource("joint-sort")
				+ LuaFragment.resource("joint-keys");
	}

	String table(Collection<String> algorithms, Function<LuaFragment, String> function) {
		StringBuilder text = new StringBuilder("local algorithms = {}\n");
		for (String algorithm : new TreeSet<>(algorithms)) {
			text.append("algorithms['").append(algorithm).append("'] = ");
			text.append(function.apply(LuaFragment.of(algorithm)));
		}
		return text.toString();
	}

	String decision(LuaFragment fragment) {
		StringBuilder text = new StringBuilder("function(key, cost, at, reply)\n").append(read(fragment));
		if (fragment.hasState()) {
			text.append(fragment.cut(write(fragment)));
		}
		text.append(fragment.look());
		for (String number : fragment.reply()) {
			text.append("reply[#reply + 1] = ").append(number).append('\n');
		}
		return text.append("return fits, function()\nlocal ttl\n")
			.append(fragment.take())
			.append(write(fragment))
			.append("end\nend\n")
			.toString();
	}

	String settlement(LuaFragment fragment) {
		return "function(key, taken, units, at)\nlocal ttl\n" + read(fragment) + fragment.settle() + write(fragment)
				+ "end\n";
	}

	String used(LuaFragment fragment) {
		return "function(key, at)\n" + read(fragment) + fragment.used() + "return used\nend\n";
	}

	String present(LuaFragment fragment) {
		return "function(key, at)\n"
				+ ((joint(fragment)) ? "if ARGV[at + 1] ~= '' then\n" + read(fragment) + "return "
						+ String.join(" + ", fragment.state()) + " > 0\nend\n" : "")
				+ "return call('EXISTS', key) == 1\nend\n";
	}

	String forget(LuaFragment fragment) {
		return "function(key, at)\n" + ((joint(fragment))
				? "if ARGV[at + 1] ~= '' then\nlocal ttl = 0\n" + read(fragment) + write(fragment) + "return\nend\n"
				: "") + "call('DEL', key)\nend\n";
	}

	private boolean joint(LuaFragment fragment) {
		return this == ANY && fragment.hasState();
	}

	private String read(LuaFragment fragment) {
		String arguments = fragment.readArguments("ARGV[at]");
		if (!fragment.hasState()) {
			return arguments;
		}
		String names = "local " + fragment.joinedState() + "\n";
		if (!joint(fragment)) {
			return arguments + names + fragment.readKey();
		}
		int size = fragment.state().size();
		return arguments + names + "local place, joint = tonumber(ARGV[at + 2]), nil\nif ARGV[at + 1] ~= '' then\n"
				+ "joint = open(key, ARGV[at + 1])\n" + fragment.joinedState() + " = unpack(joint, place + 1, place + "
				+ size + ")\nelse\n" + fragment.readKey() + "end\n";
	}

	private String write(LuaFragment fragment) {
		if (!fragment.hasState()) {
			return "";
		}
		String own = "if ttl > 0 then\n" + fragment.writeKey() + "else\ncall('DEL', key)\nend\n";
		String text = (joint(fragment))
				? "if joint then\nkeep(joint, place, ttl, " + fragment.joinedState() + ")\nelse\n" + own + "end\n"
				: own;
		return "if ttl then\n" + text + "end\n";
	}

}
