package dev.ratelimit.store.redis;

import java.util.concurrent.CompletableFuture;

/**
 * Runs scripts. Nothing blocks. A reply is integers; a call fails by a
 * {@link dev.ratelimit.store.StoreException}. Thread-safe.
 */
interface ScriptCalls {

	/**
	 * Run a script.
	 * @param call the call
	 * @return its reply
	 */
	CompletableFuture<long[]> run(ScriptCall call);

	/**
	 * Run a script unless its time is over before it is sent.
	 * @param call the call
	 * @param deadlineNanos the {@link dev.ratelimit.store.Time} after which it need not
	 * be sent
	 * @return its reply
	 */
	CompletableFuture<long[]> run(ScriptCall call, long deadlineNanos);

	/**
	 * Run a script by its text, so that it runs before all that is sent after it, known
	 * to the server or not. For scripts that are rare.
	 * @param call the call
	 * @return its reply
	 */
	CompletableFuture<long[]> runText(ScriptCall call);

}
