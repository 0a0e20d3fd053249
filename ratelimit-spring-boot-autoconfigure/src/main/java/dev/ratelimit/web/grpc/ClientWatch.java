package dev.ratelimit.web.grpc;

import java.util.concurrent.CompletableFuture;

import io.grpc.Context;

/**
 * Watches the client of a call that waits: whether it cancels the call, or the deadline
 * of the call passes.
 *
 * @param context the context of the call
 * @param gone completed when the client is gone
 */
record ClientWatch(Context context,
		CompletableFuture<Void> gone) implements Context.CancellationListener, AutoCloseable {

	/**
	 * Watch the client of the call of the calling thread.
	 * @return the watch, to be closed when the call no longer waits
	 */
	static ClientWatch begin() {
		ClientWatch watch = new ClientWatch(Context.current(), new CompletableFuture<>());
		// It only wakes the thread of the call.
		watch.context().addListener(watch, Runnable::run);
		return watch;
	}

	@Override
	public void cancelled(Context canceled) {
		this.gone.complete(null);
	}

	@Override
	public void close() {
		this.context.removeListener(this);
	}

}
