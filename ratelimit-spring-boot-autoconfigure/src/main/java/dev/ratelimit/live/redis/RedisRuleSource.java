package dev.ratelimit.live.redis;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import dev.ratelimit.live.RuleDocument;
import dev.ratelimit.live.RuleEdit;
import dev.ratelimit.live.RuleRevision;
import dev.ratelimit.live.RuleText;
import dev.ratelimit.live.RuleVersion;
import dev.ratelimit.live.WritableRuleSource;
import dev.ratelimit.live.WriteResult;
import dev.ratelimit.store.StoreException;

/**
 * Internal: rules in Redis, which all instances poll and may change. If Redis has lost
 * the newest version, the first instance that detects this restores the version.
 */
public final class RedisRuleSource implements WritableRuleSource {

	private final DocumentStore documents;

	private final LivePoll poll;

	private final LiveClock clock;

	private final NewestDocument newest = new NewestDocument();

	private final CurrentFollower following;

	RedisRuleSource(DocumentStore documents, LivePoll poll, LiveClock clock) {
		this.documents = documents;
		this.poll = poll;
		this.following = new CurrentFollower(poll);
		this.clock = clock;
	}

	@Override
	public String name() {
		return "redis";
	}

	@Override
	public OptionalLong nowMillis() {
		return OptionalLong.of(this.clock.nowMillis());
	}

	@Override
	public void remember(RuleDocument document) {
		this.newest.remember(new StoredDocument(document, writtenMillis(document), StoredDocument.UNKNOWN));
	}

	// 0 if the time is unknown, so that documents that were written to Redis later
	// prevail.
	private static long writtenMillis(RuleDocument document) {
		return document.revisions().values().stream().mapToLong((last) -> last.at().toEpochMilli()).max().orElse(0);
	}

	@Override
	public void start(Consumer<? super Reading> receiver) {
		this.following.start(new DocumentFollower(this.documents, this.newest, this::activatingBy, receiver));
	}

	private long activatingBy() {
		return this.clock.nowMillis() + this.poll.activationMillis();
	}

	@Override
	public Optional<RuleDocument> newest() {
		return LiveFailures.translated(() -> present().map(StoredDocument::document));
	}

	// If Redis has lost its data, this instance first restores the newest document that
	// it knows.
	private Optional<StoredDocument> present() {
		Optional<StoredDocument> present = this.documents.newest();
		if (!this.newest.isAfter(present.map(StoredDocument::version).orElse(0L))) {
			return present;
		}
		this.newest.document().ifPresent(this.documents::restore);
		return this.documents.newest();
	}

	@Override
	public WriteResult write(RuleEdit edit) {
		String text = RuleText.readable(edit.rules());
		return LiveFailures.translated(() -> {
			Optional<StoredDocument> base = replaceable();
			long head = base.map(StoredDocument::version).orElse(0L);
			return (head == edit.head()) ? write(base, edit, text) : new WriteResult.Outdated(head);
		});
	}

	// The replacement of an unreadable document requires only its version and digest.
	private Optional<StoredDocument> replaceable() {
		try {
			return present();
		}
		catch (UnreadableDocumentException ex) {
			return Optional.of(ex.document());
		}
	}

	private WriteResult write(Optional<StoredDocument> base, RuleEdit edit, String text) {
		long delayMillis = (this.clock.shared()) ? this.poll.activationMillis() : 0;
		StoredDocument next = NextDocument.of(base, edit, this.clock.nowMillis());
		DocumentStore.WriteReply reply = this.documents.write(base, next, text, delayMillis,
				DocumentText.meta(edit.user(), edit.note(), List.of()));
		if (!reply.written()) {
			return new WriteResult.Outdated(reply.newest());
		}
		// Remembered, because no other instance may have read the document if Redis loses
		// it now.
		this.newest.remember(next.written(reply.atMillis(), reply.activation()));
		return new WriteResult.Written(reply.newest(), reply.activation());
	}

	@Override
	public List<RuleVersion> history(int max) {
		return LiveFailures.translated(() -> this.documents.history(max));
	}

	@Override
	public Optional<RuleDocument> version(long version) {
		return LiveFailures.translated(() -> this.documents.version(version));
	}

	@Override
	public void close() {
		this.following.close();
	}

	/**
	 * Reads a document when a poll shows a new one, and passes it to the receiver.
	 */
	private static final class DocumentFollower extends LivePoll.Follower<Reading> {

		private final DocumentStore documents;

		private final NewestDocument newest;

		private final LongSupplier latestMillis;

		/** The version of the last published document. Only polls access it. */
		private long version;

		private long digest;

		DocumentFollower(DocumentStore documents, NewestDocument newest, LongSupplier latestMillis,
				Consumer<? super Reading> receiver) {
			super(receiver);
			this.documents = documents;
			this.newest = newest;
			this.latestMillis = latestMillis;
		}

		@Override
		protected void polled(PollReply reply) {
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
				// The next poll finds the restored document, or a newer one.
				publish(new Unchanged());
			}
			else if (reply.version() == 0) {
				publish(new Absent());
			}
			else if (reply.version() == this.version && reply.digest() == this.digest) {
				publish(new Unchanged());
			}
			else {
				read(reply);
			}
		}

		private void read(PollReply reply) {
			try {
				Optional<StoredDocument> read = this.documents.newest();
				// Redis may have lost its data since the poll.
				read.filter((stored) -> !this.newest.isAfter(stored.version()))
					.ifPresentOrElse(this::changed, () -> publish(new Unchanged()));
			}
			catch (IllegalArgumentException ex) {
				this.version = reply.version();
				this.digest = reply.digest();
				publish(new Invalid(reply.version(), String.valueOf(ex.getMessage())));
			}
		}

		private void changed(StoredDocument stored) {
			StoredDocument document = stored.activatingBy(this.latestMillis.getAsLong());
			this.newest.remember(stored);
			this.version = stored.version();
			this.digest = stored.shortDigest();
			publish(new Changed(document.document()));
		}

		@Override
		protected void failed(StoreException failure) {
			publish(new Failed(LiveFailures.reason(failure)));
		}

	}

	/**
	 * Creates the next document of an edit. Entries that differ get a revision. Removed
	 * entries also have a revision for as long as the version is kept, so that an edit of
	 * an entry that was removed meanwhile is a conflict.
	 */
	private static final class NextDocument {

		private NextDocument() {
		}

		static StoredDocument of(Optional<StoredDocument> base, RuleEdit edit, long nowMillis) {
			long version = edit.head() + 1;
			Map<String, Object> former = base.map((stored) -> stored.document().rules()).orElse(Map.of());
			Map<String, RuleRevision> revisions = new LinkedHashMap<>(
					base.map((stored) -> stored.document().revisions()).orElse(Map.of()));
			revisions.entrySet()
				.removeIf((entry) -> !edit.rules().containsKey(entry.getKey())
						&& entry.getValue().version() <= version - DocumentStore.VERSIONS);
			TreeSet<String> ids = new TreeSet<>(former.keySet());
			ids.addAll(edit.rules().keySet());
			ids.removeIf((id) -> Optional.ofNullable(former.get(id)).equals(Optional.ofNullable(edit.rules().get(id))));
			ids.forEach((id) -> revisions.put(id, revision(version, id, edit, nowMillis)));
			RuleDocument document = new RuleDocument(version, RuleText.digest(edit.rules()), edit.rules(), revisions,
					OptionalLong.empty());
			return new StoredDocument(document, nowMillis, DocumentText.meta(edit.user(), edit.note(), edit.changes()));
		}

		private static RuleRevision revision(long version, String id, RuleEdit edit, long nowMillis) {
			return new RuleRevision(version, Instant.ofEpochMilli(nowMillis), edit.user(), edit.note(),
					edit.replaced().getOrDefault(id, Map.of()));
		}

	}

	/**
	 * The newest document that this instance knows, even if Redis has lost it.
	 * Thread-safe.
	 */
	private static final class NewestDocument {

		private volatile Optional<StoredDocument> document = Optional.empty();

		Optional<StoredDocument> document() {
			return this.document;
		}

		synchronized void remember(StoredDocument stored) {
			if (!isAfter(stored.version())) {
				this.document = Optional.of(stored);
			}
		}

		/**
		 * Whether this instance knows a newer version than Redis.
		 * @param version the version in Redis; 0 if there is none
		 * @return whether the known document is newer
		 */
		boolean isAfter(long version) {
			return this.document.filter((stored) -> stored.version() > version).isPresent();
		}

	}

}
