package dev.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;

/**
 * A script, put together from files: a clock, what an algorithm does to look at a bucket
 * and to take from it, and the frame that goes through the buckets. Nothing in it comes
 * from a client or from configuration. Immutable.
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
	 * The script for costs above 0 on a few buckets, without replay marker or shadow.
	 * @param clock whose clock
	 * @param layouts the keys in their order
	 * @return the script, which replies as {@link #manyBuckets}
	 */
	static LuaScript fewBuckets(RedisClock clock, List<StraightLayout> layouts) {
		return new LuaScript(PROLOGUE + clock.text() + inTime(clock) + StraightText.of(layouts));
	}

	/**
	 * The script for any request on buckets of some algorithms.
	 * @param clock whose clock
	 * @param algorithms their ids
	 * @param functions what the buckets lie in
	 * @return the script, the same text for the same set
	 */
	static LuaScript manyBuckets(RedisClock clock, Collection<String> algorithms, LuaFunctions functions) {
		return framed(clock.text() + inTime(clock), functions, "many-buckets",
				functions.table(algorithms, functions::decision));
	}

	/**
	 * The script for a request of which some charges lease.
	 * @param clock whose clock
	 * @param algorithms their ids
	 * @param functions what the buckets lie in
	 * @return the script, the same text for the same set
	 */
	static LuaScript leasing(RedisClock clock, Collection<String> algorithms, LuaFunctions functions) {
		Function<LuaFragment, String> both = (fragment) -> "{ look = " + functions.decision(fragment) + ", used = "
				+ functions.used(fragment) + "}\n";
		return framed(clock.text() + inTime(clock), functions, "lease", functions.table(algorithms, both));
	}

	/**
	 * The script that takes back what is left of a lease.
	 * @param clock whose clock
	 * @param algorithm the algorithm
	 * @param functions what the bucket lies in
	 * @return the script
	 */
	static LuaScript givingBack(RedisClock clock, String algorithm, LuaFunctions functions) {
		return framed(clock.text(), functions, "return-lease",
				"local settle = " + functions.settlement(LuaFragment.of(algorithm)));
	}

	/**
	 * The script that corrects charges on buckets of some algorithms, or charges late.
	 * @param clock whose clock
	 * @param algorithms their ids
	 * @param functions what the buckets lie in
	 * @return the script, the same text for the same set
	 */
	static LuaScript settlement(RedisClock clock, Collection<String> algorithms, LuaFunctions functions) {
		return framed(clock.text() + inTime(clock), functions, "settle",
				functions.table(algorithms, functions::settlement));
	}

	/**
	 * The script that moves what was used of a bucket under another limit.
	 * @param clock whose clock
	 * @param algorithm the algorithm of both limits
	 * @param functions what the buckets lie in
	 * @return the script
	 */
	static LuaScript move(RedisClock clock, String algorithm, LuaFunctions functions) {
		LuaFragment fragment = LuaFragment.of(algorithm);
		return framed(clock.text(), functions, "move",
				"local settle = " + functions.settlement(fragment) + "local used = " + functions.used(fragment)
						+ "local present = " + functions.present(fragment) + "local forget = "
						+ functions.forget(fragment));
	}

	/**
	 * The script that forgets buckets of some algorithms.
	 * @param clock whose clock
	 * @param algorithms their ids
	 * @return the script, the same text for the same set
	 */
	static LuaScript forget(RedisClock clock, Collection<String> algorithms) {
		LuaFunctions functions = LuaFunctions.ANY;
		return framed(clock.text(), functions, "forget", functions.table(algorithms, functions::forget));
	}

	/**
	 * The script that counts the instances of an application.
	 * @param clock whose clock
	 * @return the script
	 */
	static LuaScript fleet(RedisClock clock) {
		return new LuaScript(PROLOGUE + clock.text() + LuaFragment.resource("fleet"));
	}

	/**
	 * The script that adds counts of rejections to the sums of all instances.
	 * @return the script
	 */
	static LuaScript rejections() {
		return new LuaScript(PROLOGUE + LuaFragment.resource("rejections"));
	}

	/**
	 * A script on keys that are not buckets.
	 * @param clock whose clock
	 * @param resources the files that it is put together from
	 * @return the script
	 */
	static LuaScript shared(RedisClock clock, List<String> resources) {
		StringBuilder text = new StringBuilder(PROLOGUE).append(clock.text());
		resources.forEach((resource) -> text.append(LuaFragment.resource(resource)));
		return new LuaScript(text.toString());
	}

	private static LuaScript framed(String clock, LuaFunctions functions, String frame, String table) {
		return new LuaScript(PROLOGUE + clock + functions.prologue() + table + LuaFragment.resource(frame));
	}

	// By the server's clock, the last argument is the time up to which a request may be
	// decided.
	private static String inTime(RedisClock clock) {
		return (clock == RedisClock.SERVER) ? "if now > tonumber(ARGV[#ARGV]) then\nreturn { now }\nend\n" : "";
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
