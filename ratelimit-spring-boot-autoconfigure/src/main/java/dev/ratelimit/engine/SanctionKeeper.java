package dev.ratelimit.engine;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

/**
 * Internal: the interface to bans, marks, and pauses. It finds the subjects that rules
 * ban, mark, or pause, and counts strikes. Thread-safe.
 */
public interface SanctionKeeper {

	/** No subject is banned, marked, or paused. */
	SanctionKeeper NONE = new SanctionKeeper() {

		@Override
		public boolean any() {
			return false;
		}

		@Override
		public @Nullable Sanction find(String rule, String subject) {
			return null;
		}

		@Override
		public Strikes strikes(Strikes before, CompiledRule rule, String subject, boolean crossSite,
				boolean ownAddress) {
			return before;
		}

		@Override
		public CompletableFuture<Void> pause(CompiledRule rule, String subject, Duration pause) {
			return CompletableFuture
				.failedFuture(new IllegalStateException("rules can be paused if 'ratelimit.bans.enabled' is true"));
		}

	};

	/**
	 * Whether there may be any sanctions.
	 * @return false while no subject is banned, marked, or paused
	 */
	boolean any();

	/**
	 * Return the present sanction of a rule on a subject.
	 * @param rule the rule's id
	 * @param subject the subject, canonical
	 * @return the sanction; null if there is none
	 */
	@Nullable Sanction find(String rule, String subject);

	/**
	 * Add the strikes that a rule can count for a request. Called for rules that count
	 * strikes.
	 * @param before the strikes that other rules can count for the request
	 * @param rule the rule
	 * @param subject the subject, canonical
	 * @param crossSite whether a page of another site may have caused the request
	 * @param ownAddress whether the address is that of one client
	 * @return the strikes of all rules
	 */
	Strikes strikes(Strikes before, CompiledRule rule, String subject, boolean crossSite, boolean ownAddress);

	/**
	 * Let a rule reject all requests of a subject for a while.
	 * @param rule the rule
	 * @param subject the subject, canonical
	 * @param pause the duration
	 * @return completed when the store has recorded it
	 */
	CompletableFuture<Void> pause(CompiledRule rule, String subject, Duration pause);

}
