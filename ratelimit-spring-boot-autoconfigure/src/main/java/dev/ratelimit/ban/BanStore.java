package dev.ratelimit.ban;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The bans of all instances, with a copy of them on this instance. Thread-safe.
 */
interface BanStore extends AutoCloseable {

	/**
	 * Begin to read the bans and lifts of all instances.
	 * @param changes receives each change, including those of this instance
	 */
	void start(Consumer<Ban> changes);

	/**
	 * Return the present time, by the clock of the bans.
	 * @return milliseconds of Unix time
	 */
	long nowMillis();

	/**
	 * Impose a ban, mark, or pause.
	 * @param order the ban, mark, or pause to impose
	 * @return the outcome; fails if a user orders it and the other instances cannot be
	 * notified
	 */
	CompletableFuture<BanReply> impose(BanOrder order);

	/**
	 * End a ban, mark, or pause.
	 * @param rule the rule's id
	 * @param subject the subject, canonical
	 * @param user the user that ends it
	 * @return whether there was one; fails if the other instances cannot be notified
	 */
	CompletableFuture<Boolean> lift(String rule, String subject, String user);

	/**
	 * Impose a ban, mark, or pause on this instance only. The other instances receive it
	 * when the store responds.
	 * @param order the ban, mark, or pause to impose
	 * @return the outcome
	 */
	BanReply imposeHere(BanOrder order);

	/**
	 * End a ban, mark, or pause on this instance only. The other instances receive the
	 * lift when the store responds.
	 * @param rule the rule's id
	 * @param subject the subject, canonical
	 * @param user the user that ends it
	 * @return whether there was one
	 */
	boolean liftHere(String rule, String subject, String user);

	/**
	 * Return the bans, marks, and pauses that this instance knows.
	 * @return those that have not ended
	 */
	List<Ban> active();

	@Override
	void close();

}
