package dev.ratelimit.engine;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Internal: decides which subjects are banned, marked, or paused. Thread-safe.
 */
public interface SanctionKeeper {

	/** No subject is. */
	SanctionKeeper NONE = new SanctionKeeper() {

		@Override
		public void strike(CompiledRule rule, String subject) {
		}

		@Override
		public CompletableFuture<Void> pause(CompiledRule rule, String subject, Duration pause) {
			return CompletableFuture
				.failedFuture(new IllegalStateException("rules can be paused if 'ratelimit.bans.enabled' is true"));
		}

	};

	/**
	 * A subject has done what the rule's {@code ban} counts. Does not wait.
	 * @param rule the rule
	 * @param subject the subject, canonical
	 */
	void strike(CompiledRule rule, String subject);

	/**
	 * Let a rule reject all requests of a subject for a while.
	 * @param rule the rule
	 * @param subject the subject, canonical
	 * @param pause how long
	 * @return completed when the store knows
	 */
	CompletableFuture<Void> pause(CompiledRule rule, String subject, Duration pause);

}
