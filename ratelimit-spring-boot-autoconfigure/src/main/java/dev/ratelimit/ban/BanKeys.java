package dev.ratelimit.ban;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;

import dev.ratelimit.store.redis.SharedKeys;
import dev.ratelimit.store.redis.SharedScript;
import dev.ratelimit.store.redis.SharedSession;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * The keys of the bans, and the scripts on them.
 */
final class BanKeys {

	private static final Log logger = LogFactory.getLog(BanKeys.class);

	static final int PAGE_SIZE = 1000;

	private static final String NUMBERS = "log";

	private static final String TEXTS = "bans";

	private static final String[] ALL = { "until", NUMBERS, TEXTS, "state" };

	private static final int RESTORED_AT_ONCE = 100;

	private static final Duration TIMEOUT = Duration.ofSeconds(1);

	private final SharedKeys keys;

	private final SharedScript change;

	private final SharedScript since;

	private final SharedScript restore;

	BanKeys(SharedKeys keys) {
		this.keys = keys;
		this.change = keys.script(List.of("ban-keep", "ban"), ALL);
		this.since = keys.script(List.of("ban-keep", "ban-since"), ALL);
		this.restore = keys.script(List.of("ban-keep", "ban-restore"), ALL);
	}

	SharedScript change() {
		return this.change;
	}

	static String random() {
		return Long.toString(ThreadLocalRandom.current().nextLong(1, 1L << 50));
	}

	// Returns the time, the newest position, the random number of the data, the random
	// number of the newest position, and whether Redis has lost the entries up to the
	// given position.
	long[] since(long position, long random) {
		return this.since.await(TIMEOUT, Long.toString(position), Long.toString(random));
	}

	/**
	 * Return a page of the changes after a position in the log.
	 * @param number the position
	 * @return at most {@value #PAGE_SIZE} changes
	 */
	Page after(long number) {
		try (SharedSession session = this.keys.decisions()) {
			List<String> members = session.members(NUMBERS, number, PAGE_SIZE);
			List<Optional<String>> texts = (members.isEmpty()) ? List.of() : session.hash(TEXTS, members);
			List<BanText> read = new ArrayList<>();
			for (int i = 0; i < texts.size(); i++) {
				String member = members.get(i);
				texts.get(i).flatMap((text) -> read(member, text)).ifPresent(read::add);
			}
			return new Page(read, members.size() == PAGE_SIZE);
		}
	}

	private static Optional<BanText> read(String member, String text) {
		try {
			return Optional.of(BanText.read(member, text));
		}
		catch (IllegalArgumentException ex) {
			logger.debug("A ban in Redis cannot be read", ex);
			return Optional.empty();
		}
	}

	/**
	 * Write bans and lifts to Redis, unless it has later changes.
	 * @param bans the bans and lifts
	 * @param position the position in the log up to which this instance has read
	 * @return the number of changes that Redis did not have
	 */
	long restore(List<Ban> bans, long position) {
		long missing = 0;
		for (int begin = 0; begin < bans.size(); begin += RESTORED_AT_ONCE) {
			List<Ban> some = bans.subList(begin, Math.min(bans.size(), begin + RESTORED_AT_ONCE));
			missing += this.restore.await(TIMEOUT, arguments(some, position))[1];
		}
		return missing;
	}

	// Does not block.
	CompletableFuture<long[]> restore(Ban ban) {
		return this.restore.run(arguments(List.of(ban), 0));
	}

	private static String[] arguments(List<Ban> bans, long position) {
		List<String> arguments = new ArrayList<>(List.of(Long.toString(position), random()));
		bans.forEach((ban) -> arguments.addAll(BanText.arguments(ban)));
		return arguments.toArray(String[]::new);
	}

	/**
	 * A page of changes.
	 *
	 * @param bans the changes that can be read; others may have been removed after their
	 * members were read
	 * @param full whether there may be further pages
	 */
	record Page(List<BanText> bans, boolean full) {
	}

}
