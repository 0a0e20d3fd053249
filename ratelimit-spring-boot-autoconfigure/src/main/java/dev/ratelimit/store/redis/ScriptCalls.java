package dev.ratelimit.store.redis;

import java.util.concurrent.CompletableFuture;

/**
 * Runs scripts. No method blocks. A reply consists of integers. A call fails with a
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
	 * Run a script unless its deadline passes before it is sent.
	 * @param call the call
	 * @param deadlineNanos the {@link dev.ratelimit.store.Time} after which it need not
	 * be sent
	 * @return its reply
	 */
	CompletableFuture<long[]> run(ScriptCall call, long deadlineNanos);

	/**
	 * Run a script by its text, so that it runs before all calls that are sent after it,
	 * even if the server does not know the script. Use this for rare scripts only.
	 * @param call the call
	 * @return its reply
	 */
	CompletableFuture<long[]> runText(ScriptCall call);

}
