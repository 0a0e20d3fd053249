package dev.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * A script that decides demands, put together from files: a clock, what an algorithm does
 * to look at a bucket and to take from it, and the frame that goes through the buckets.
 * Nothing in it comes from a caller or from configuration. Immutable.
 */
final class LuaScript {

	private static final String PROLOGUE = "local call, format = redis.call, string.format\n";

	private final byte[] byText;

	private final byte[] byDigest;

	private LuaScript(String text) {
		byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
		String sha = HexFormat.of().formatHex(sha1(bytes));
		this.byText = Resp.strings("EVAL".getBytes(StandardCharsets.US_ASCII), bytes);
		this.byDigest = Resp.strings("EVALSHA".getBytes(StandardCharsets.US_ASCII),
				sha.getBytes(StandardCharsets.US_ASCII));
	}

	/**
	 * The script for costs above 0 on one bucket or a few, without replay marker or
	 * shadow, which most demands are. The algorithms' code stands in place, since a
	 * function call is an eighth of what a decision costs Redis; each bucket's in a block
	 * within that of the one before, so that all have been looked at before the first is
	 * taken from. Keys are the buckets; arguments are for each its cost and the
	 * algorithm's own. It replies as {@link #manyBuckets}.
	 * @param clock whose clock
	 * @param algorithms their ids, in the order of the buckets
	 * @return the script
	 */
	static LuaScript fewBuckets(RedisClock clock, List<String> algorithms) {
		StringBuilder text = new StringBuilder();
		StringBuilder takes = new StringBuilder();
		int number = 2;
		for (int i = 0; i < algorithms.size(); i++) {
			LuaFragment fragment = LuaFragment.of(algorithms.get(i));
			text.append("do\nlocal key, cost, at = KEYS[").append(i + 1).append("], ARGV[following], following + 1\n");
			text.append(fragment.look());
			for (String seen : fragment.reply().split(",")) {
				text.append("reply[").append(++number).append("] = ").append(seen.trim()).append('\n');
			}
			text.append("if not fits then\nreply[2] = 0\nend\n");
			takes.insert(0, "if reply[2] == 1 then\n" + fragment.take() + "end\nend\n");
		}
		// A table of the right size from the start.
		String reply = "local reply, following = { now, 1" + ", 0".repeat(number - 2) + " }, 1\n";
		return new LuaScript(PROLOGUE + clock.text() + inTime(clock) + reply + text + takes + "return reply\n");
	}

	/**
	 * The script for any demand on buckets of some algorithms.
	 * @param clock whose clock
	 * @param algorithms their ids
	 * @return the script, the same text for the same set
	 */
	static LuaScript manyBuckets(RedisClock clock, Collection<String> algorithms) {
		return framed(clock.text() + inTime(clock), algorithms, "many-buckets", LuaScript::decision);
	}

	/**
	 * The script for a demand of which some charges borrow.
	 * @param clock whose clock
	 * @param algorithms their ids
	 * @return the script, the same text for the same set
	 */
	static LuaScript lending(RedisClock clock, Collection<String> algorithms) {
		return framed(clock.text() + inTime(clock), algorithms, "lend",
				(fragment) -> "{ look = " + decision(fragment) + ", used = " + used(fragment) + "}\n");
	}

	/**
	 * The script that takes back what is left of a loan.
	 * @param clock whose clock
	 * @param algorithm the algorithm
	 * @return the script
	 */
	static LuaScript givingBack(RedisClock clock, String algorithm) {
		return new LuaScript(PROLOGUE + clock.text() + "local settle = " + settlement(LuaFragment.of(algorithm))
				+ LuaFragment.resource("give-back"));
	}

	/**
	 * The script that corrects charges on buckets of some algorithms.
	 * @param clock whose clock
	 * @param algorithms their ids
	 * @return the script, the same text for the same set
	 */
	static LuaScript settlement(RedisClock clock, Collection<String> algorithms) {
		return framed(clock.text(), algorithms, "settle", LuaScript::settlement);
	}

	/**
	 * The script that moves what was used of a bucket under another limit.
	 * @param clock whose clock
	 * @param algorithm the algorithm of both limits
	 * @return the script
	 */
	static LuaScript move(RedisClock clock, String algorithm) {
		LuaFragment fragment = LuaFragment.of(algorithm);
		return new LuaScript(PROLOGUE + clock.text() + "local settle = " + settlement(fragment) + "local used = "
				+ used(fragment) + LuaFragment.resource("move"));
	}

	/**
	 * The script that counts the instances of an application.
	 * @param clock whose clock
	 * @return the script
	 */
	static LuaScript fleet(RedisClock clock) {
		return new LuaScript(PROLOGUE + clock.text() + LuaFragment.resource("fleet"));
	}

	private static LuaScript framed(String clock, Collection<String> algorithms, String frame,
			Function<LuaFragment, String> function) {
		StringBuilder text = new StringBuilder(PROLOGUE).append(clock).append("local algorithms = {}\n");
		for (String algorithm : new TreeSet<>(algorithms)) {
			text.append("algorithms['").append(algorithm).append("'] = ");
			text.append(function.apply(LuaFragment.of(algorithm)));
		}
		return new LuaScript(text.append(LuaFragment.resource(frame)).toString());
	}

	// By the server's clock, the last argument is the time up to which a demand may be
	// decided.
	private static String inTime(RedisClock clock) {
		return (clock == RedisClock.SERVER) ? "if now > tonumber(ARGV[#ARGV]) then\nreturn { now }\nend\n" : "";
	}

	private static String decision(LuaFragment fragment) {
		StringBuilder text = new StringBuilder("function(key, cost, at, reply)\n").append(fragment.look());
		for (String number : fragment.reply().split(",")) {
			text.append("reply[#reply + 1] = ").append(number.trim()).append('\n');
		}
		return text.append("return fits, following, function()\n")
			.append(fragment.take())
			.append("end\nend\n")
			.toString();
	}

	private static String settlement(LuaFragment fragment) {
		return "function(key, taken, units, at)\n" + fragment.settle() + "return following\nend\n";
	}

	private static String used(LuaFragment fragment) {
		return "function(key, at)\n" + fragment.used() + "return used, following\nend\n";
	}

	/**
	 * How a call begins that sends the text.
	 * @return command and text, as they are sent
	 */
	byte[] byText() {
		return this.byText;
	}

	/**
	 * How a call begins that sends the digest.
	 * @return command and digest, as they are sent
	 */
	byte[] byDigest() {
		return this.byDigest;
	}

	private static byte[] sha1(byte[] text) {
		try {
			return MessageDigest.getInstance("SHA-1").digest(text);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("every Java platform has SHA-1", ex);
		}
	}

}
