package dev.ratelimit.live.redis;

import java.util.Optional;
import java.util.function.LongSupplier;

import dev.ratelimit.live.RuleSourceListener;
import dev.ratelimit.store.StoreException;

/**
 * Reads a document when a poll shows that there is another one, and tells the listener.
 */
final class DocumentFollower implements LivePoll.Follower {

	private final DocumentStore documents;

	private final NewestDocument newest;

	private final LongSupplier latestMillis;

	private final RuleSourceListener listener;

	/** What was told of last; read and written by polls alone. */
	private long version;

	private long digest;

	private boolean closed;

	DocumentFollower(DocumentStore documents, NewestDocument newest, LongSupplier latestMillis,
			RuleSourceListener listener) {
		this.documents = documents;
		this.newest = newest;
		this.latestMillis = latestMillis;
		this.listener = listener;
	}

	@Override
	public void polled(PollReply reply) {
		try {
			follow(reply);
		}
		catch (StoreException ex) {
			failed(ex);
		}
	}

	private void follow(PollReply reply) {
		if (this.newest.isAfter(reply.version())) {
			this.newest.document().ifPresent(this.documents::restore);
			// The next poll finds it, or a newer one.
			tell(RuleSourceListener::unchanged);
		}
		else if (reply.version() == 0) {
			tell(RuleSourceListener::absent);
		}
		else if (reply.version() == this.version && reply.digest() == this.digest) {
			tell(RuleSourceListener::unchanged);
		}
		else {
			read(reply);
		}
	}

	private void read(PollReply reply) {
		try {
			Optional<StoredDocument> read = this.documents.newest();
			// Redis may lose its data between the poll and now.
			read.filter((stored) -> !this.newest.isAfter(stored.version()))
				.ifPresentOrElse(this::changed, () -> tell(RuleSourceListener::unchanged));
		}
		catch (IllegalArgumentException ex) {
			this.version = reply.version();
			this.digest = reply.digest();
			tell((listener) -> listener.invalid(reply.version(), String.valueOf(ex.getMessage())));
		}
	}

	private void changed(StoredDocument stored) {
		StoredDocument document = stored.activatingBy(this.latestMillis.getAsLong());
		this.newest.know(stored);
		this.version = stored.version();
		this.digest = stored.shortDigest();
		tell((listener) -> listener.changed(document.document()));
	}

	@Override
	public void failed(StoreException failure) {
		tell((listener) -> listener.failed(LiveFailures.reason(failure)));
	}

	private synchronized void tell(Call call) {
		if (!this.closed) {
			call.on(this.listener);
		}
	}

	/** The listener is not called from now on. */
	@Override
	public synchronized void close() {
		this.closed = true;
	}

	/**
	 * A call of the listener.
	 */
	private interface Call {

		void on(RuleSourceListener listener);

	}

}
