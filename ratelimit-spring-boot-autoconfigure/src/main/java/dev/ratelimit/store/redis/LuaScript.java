package dev.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;

/**
 * A script that consists of several files: a clock, the code of the algorithms, and the
 * frame that processes the buckets. No part of it comes from a client or from
 * configuration. Immutable.
 */
final class LuaScript {

	/** The additional server time of a lease, compared with a charge, for each key. */
	private static final int LEASE_WEIGHT = 5;

	private static final String PROLOGUE = "local call, format = redis.call, string.format\n";

	private final byte[] byText;

	private final byte[] byDigest;

	private final String batchPart;

	private final int weight;

	private final int weightOfKey;

	private LuaScript(String text) {
		this(text, "", 0, 0);
	}

	private LuaScript(String text, String batchPart, int weight, int weightOfKey) {
		this.batchPart = batchPart;
		this.weight = weight;
		this.weightOfKey = weightOfKey;
		byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
		String sha = HexFormat.of().formatHex(sha1(bytes));
		this.byText = Resp.strings("EVAL".getBytes(StandardCharsets.US_ASCII), bytes);
		this.byDigest = Resp.strings("EVALSHA".getBytes(StandardCharsets.US_ASCII),
				sha.getBytes(StandardCharsets.US_ASCII));
	}

	/**
	 * The script for costs above 0 on a few buckets, without replay marker or shadow.
	 * @param clock the clock that the script uses
	 * @param layouts the keys in their order
	 * @return the script, with the same reply as {@link #manyBuckets}
	 */
	static LuaScript fewBuckets(RedisClock clock, List<StraightLayout> layouts) {
		return new LuaScript(PROLOGUE + clock.text() + inTime(clock) + new StraightText(false, layouts).alone(),
				new StraightText(true, layouts).part(clock), layouts.stream().mapToInt(StraightLayout::weight).sum(),
				0);
	}

	/**
	 * The script for any request on buckets of some algorithms.
	 * @param clock the clock that the script uses
	 * @param algorithms the ids of the algorithms
	 * @param functions the functions for the keys of the buckets
	 * @return the script, the same text for the same set
	 */
	static LuaScript manyBuckets(RedisClock clock, Collection<String> algorithms, LuaFunctions functions) {
		return framed(clock, Deadline.CHECKED, functions, "many-buckets",
				functions.table(algorithms, functions::decision));
	}

	/**
	 * The script for a request with charges that lease units.
	 * @param clock the clock that the script uses
	 * @param algorithms the ids of the algorithms
	 * @param functions the functions for the keys of the buckets
	 * @return the script, the same text for the same set
	 */
	static LuaScript leasing(RedisClock clock, Collection<String> algorithms, LuaFunctions functions) {
		Function<LuaFragment, String> both = (fragment) -> "{ look = " + functions.decision(fragment) + ", used = "
				+ functions.used(fragment) + "}\n";
		return of(clock, text(clock, Deadline.CHECKED, functions, "lease", functions.table(algorithms, both)),
				functions.weight(), functions.weight() + LEASE_WEIGHT);
	}

	/**
	 * The script that returns the remaining units of a lease.
	 * @param clock the clock that the script uses
	 * @param algorithm the algorithm
	 * @param functions the functions for the key of the bucket
	 * @return the script
	 */
	static LuaScript givingBack(RedisClock clock, String algorithm, LuaFunctions functions) {
		return framed(clock, Deadline.NONE, functions, "return-lease",
				"local settle = " + functions.settlement(LuaFragment.of(algorithm)));
	}

	/**
	 * The script that corrects charges on buckets of some algorithms, or charges late.
	 * @param clock the clock that the script uses
	 * @param algorithms the ids of the algorithms
	 * @param functions the functions for the keys of the buckets
	 * @return the script, the same text for the same set
	 */
	static LuaScript settlement(RedisClock clock, Collection<String> algorithms, LuaFunctions functions) {
		return framed(clock, Deadline.CHECKED, functions, "settle", functions.table(algorithms, functions::settlement));
	}

	/**
	 * The script that moves the usage under a former limit to the bucket of another
	 * limit.
	 * @param clock the clock that the script uses
	 * @param algorithm the algorithm of both limits
	 * @param functions the functions for the keys of the buckets
	 * @return the script
	 */
	static LuaScript move(RedisClock clock, String algorithm, LuaFunctions functions) {
		LuaFragment fragment = LuaFragment.of(algorithm);
		return framed(clock, Deadline.NONE, functions, "move",
				"local settle = " + functions.settlement(fragment) + "local used = " + functions.used(fragment)
						+ "local present = " + functions.present(fragment) + "local forget = "
						+ functions.forget(fragment));
	}

	/**
	 * The script that renews the slots that an instance holds.
	 * @param clock the clock that the script uses
	 * @return the script
	 */
	static LuaScript renewal(RedisClock clock) {
		return of(clock, LuaFragment.resource("renew"), LuaFunctions.OWN_KEYS.weight(), LuaFunctions.OWN_KEYS.weight());
	}

	/**
	 * The script that resets buckets of some algorithms.
	 * @param clock the clock that the script uses
	 * @param algorithms the ids of the algorithms
	 * @return the script, the same text for the same set
	 */
	static LuaScript forget(RedisClock clock, Collection<String> algorithms) {
		LuaFunctions functions = LuaFunctions.ANY;
		return framed(clock, Deadline.NONE, functions, "forget", functions.table(algorithms, functions::forget));
	}

	/**
	 * The script that counts the instances of an application.
	 * @param clock the clock that the script uses
	 * @return the script
	 */
	static LuaScript instances(RedisClock clock) {
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
	 * @param clock the clock that the script uses
	 * @param resources the files that the script consists of
	 * @return the script
	 */
	static LuaScript shared(RedisClock clock, List<String> resources) {
		StringBuilder text = new StringBuilder(PROLOGUE).append(clock.text());
		resources.forEach((resource) -> text.append(LuaFragment.resource(resource)));
		return new LuaScript(text.toString());
	}

	/**
	 * The script that runs several calls of some scripts, one after the other. Each call
	 * works as if it were sent alone: it has its own keys, arguments, time, reply, and
	 * failure.
	 * @param clock the clock that the scripts use
	 * @param scripts the scripts, of decisions and corrections
	 * @return the script
	 */
	static LuaScript batch(RedisClock clock, List<LuaScript> scripts) {
		StringBuilder text = new StringBuilder(PROLOGUE);
		text.append((clock == RedisClock.SERVER) ? clock.text() : "")
			.append("local KEYS, ARGV, reply, parts = KEYS, ARGV, {}, {}\n")
			.append(LuaFragment.resource("batch-part"));
		for (int i = 0; i < scripts.size(); i++) {
			if (scripts.get(i).batchPart.isEmpty()) {
				throw new IllegalArgumentException("only decisions and corrections can be joined");
			}
			text.append("parts[").append(i + 1).append("] = ").append(scripts.get(i).batchPart);
		}
		return new LuaScript(text.append(LuaFragment.resource("batch")).toString());
	}

	private static LuaScript framed(RedisClock clock, Deadline deadline, LuaFunctions functions, String frame,
			String table) {
		return of(clock, text(clock, deadline, functions, frame, table), functions.weight(), functions.weight());
	}

	private static String text(RedisClock clock, Deadline deadline, LuaFunctions functions, String frame,
			String table) {
		return ((deadline == Deadline.CHECKED) ? inTime(clock) : "") + functions.prologue() + table
				+ LuaFragment.resource(frame);
	}

	private static LuaScript of(RedisClock clock, String body, int weight, int weightOfKey) {
		return new LuaScript(PROLOGUE + clock.text() + body,
				"part(function(KEYS, ARGV)\n" + ((clock == RedisClock.CLIENT) ? clock.text() : "") + body + "end)\n",
				weight, weightOfKey);
	}

	// With the server's clock, the last argument is the time up to which a request may be
	// decided.
	private static String inTime(RedisClock clock) {
		return (clock == RedisClock.SERVER) ? "if now > tonumber(ARGV[#ARGV]) then\nreturn { now }\nend\n" : "";
	}

	/**
	 * Return the approximate server time that a call takes, in the unit of
	 * {@link StraightLayout#WEIGHT}.
	 * @param keys the number of keys of the call
	 * @return the weight
	 */
	int weight(int keys) {
		return this.weight + keys * this.weightOfKey;
	}

	/**
	 * Return the start of a call that sends the text of the script.
	 * @return command and text, as they are sent
	 */
	byte[] byText() {
		return this.byText;
	}

	/**
	 * Return the start of a call that sends the digest of the script.
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

	/**
	 * Whether a script checks its last argument, the time up to which it may charge.
	 */
	private enum Deadline {

		CHECKED, NONE

	}

	/**
	 * Writes the script for costs above 0 on one bucket or a few, without replay marker
	 * or shadow. Most requests are of this kind. The code of the algorithms is inline,
	 * because a function call takes an eighth of the time of a decision in Redis. The
	 * code of each bucket is in a block within the block of the previous bucket, so that
	 * all buckets are read before units are taken from the first one. Used for one
	 * script.
	 */
	private static final class StraightText {

		private final boolean batch;

		private final StringBuilder looks = new StringBuilder();

		private final StringBuilder takes = new StringBuilder();

		private int keys;

		private int arguments;

		private int replied = 2;

		/**
		 * Create the text for some keys. The arguments for a key of one bucket are its
		 * cost and the numbers of the algorithm. The arguments for a joint key are its
		 * header, the cost, and the numbers of all limits in one argument.
		 * @param batch whether keys, arguments, and numbers of the reply are preceded by
		 * those of other calls; {@code k}, {@code a}, and {@code r} contain the offsets
		 * @param layouts the keys in their order
		 */
		StraightText(boolean batch, List<StraightLayout> layouts) {
			this.batch = batch;
			layouts.forEach(this::add);
		}

		/**
		 * Return the text of the script after the code at the beginning of all scripts.
		 * @return the text of a script that decides one request
		 */
		String alone() {
			// The table has its final size from the start.
			return "local reply = { now, 1" + ", 0".repeat(this.replied - 2) + " }\n" + this.looks + this.takes
					+ "return reply\n";
		}

		/**
		 * Return the function that decides one request of a batch. The reply is preceded
		 * by its length.
		 * @param clock the clock that the script uses
		 * @return the text of the function
		 */
		String part(RedisClock clock) {
			String time = "tonumber(" + argument() + ")";
			return "function(k, a, r)\n"
					+ ((clock == RedisClock.CLIENT) ? "local now = " + time + "\n"
							: "if now > " + time + " then\nreply[r], reply[r + 1] = 1, now\nreturn\nend\n")
					+ "reply[r], reply[r + 1], reply[r + 2] = " + this.replied + ", now, 1\n" + this.looks + this.takes
					+ "end\n";
		}

		private String allowed() {
			return "if " + reply(2) + " == 1 then\n";
		}

		private String reply(int index) {
			return (this.batch) ? "reply[r + " + index + "]" : "reply[" + index + "]";
		}

		private void add(StraightLayout layout) {
			this.keys++;
			this.looks.append("do\nlocal key = KEYS[")
				.append((this.batch) ? "k + " : "")
				.append(this.keys)
				.append("]\n");
			if (layout.format().isEmpty()) {
				addBucket(LuaFragment.of(layout.algorithms().get(0)));
			}
			else {
				addJoint(layout);
			}
		}

		private void addBucket(LuaFragment fragment) {
			this.looks.append("local cost = tonumber(").append(argument()).append(")\n");
			this.looks.append(fragment.readArguments(argument()));
			if (fragment.hasState()) {
				this.looks.append("local ").append(fragment.joinedState()).append('\n').append(fragment.readKey());
				this.looks.append(fragment.cut(fragment.writeKey()));
			}
			addLook(fragment);
			this.takes.insert(0, allowed()
					+ ((fragment.hasState()) ? "local ttl\n" + fragment.take() + fragment.writeKey() : fragment.take())
					+ "end\nend\n");
		}

		private void addJoint(StraightLayout layout) {
			List<LuaFragment> fragments = layout.algorithms().stream().map(LuaFragment::of).toList();
			List<String> numbers = numbered("n", fragments.stream().mapToInt((one) -> one.state().size()).sum());
			List<String> own = numbered("a", fragments.stream().mapToInt((one) -> one.arguments().size()).sum());
			this.looks.append("local header, cost = ").append(argument()).append(", tonumber(");
			this.looks.append(argument()).append(")\n").append(layout.read(numbers));
			this.looks.append("local ").append(String.join(", ", own)).append(" = struct.unpack('<");
			this.looks.append("d".repeat(own.size())).append("', ").append(argument()).append(")\n");
			String write = layout.write(numbers);
			this.takes.insert(0, allowed() + write + "end\nend\n");
			for (LuaFragment fragment : fragments) {
				List<String> state = split(numbers, fragment.state().size());
				addMember(fragment, state, split(own, fragment.arguments().size()), write);
			}
		}

		private void addMember(LuaFragment fragment, List<String> numbers, List<String> own, String write) {
			this.looks.append("do\nlocal ").append(String.join(", ", fragment.arguments()));
			this.looks.append(" = ").append(String.join(", ", own));
			this.looks.append("\nlocal ").append(fragment.joinedState());
			this.looks.append(" = ").append(String.join(", ", numbers)).append('\n');
			// The lifetime of the key must not decrease, because the other limits need
			// the key.
			this.looks.append(fragment.cut(String.join(", ", numbers) + " = " + fragment.joinedState()
					+ "\nlocal longest = math.max(longest, ttl, call('PTTL', key))\n" + write));
			addLook(fragment);
			this.takes.insert(0, allowed() + "local ttl\n" + fragment.take() + String.join(", ", numbers) + " = "
					+ fragment.joinedState() + "\nif ttl > longest then\nlongest = ttl\nend\nend\nend\n");
		}

		private void addLook(LuaFragment fragment) {
			this.looks.append(fragment.look());
			for (String seen : fragment.reply()) {
				this.looks.append(reply(++this.replied)).append(" = ").append(seen).append('\n');
			}
			this.looks.append("if not fits then\n").append(reply(2)).append(" = 0\nend\n");
		}

		private String argument() {
			return "ARGV[" + ((this.batch) ? "a + " : "") + ++this.arguments + "]";
		}

		private static List<String> numbered(String name, int count) {
			List<String> names = new ArrayList<>(Collections.nCopies(count, name));
			for (int i = 0; i < count; i++) {
				names.set(i, name + (i + 1));
			}
			return names;
		}

		// Remove the first names from the list and return them.
		private static List<String> split(List<String> names, int count) {
			List<String> first = names.subList(0, count);
			List<String> copy = List.copyOf(first);
			first.clear();
			return copy;
		}

	}

}
