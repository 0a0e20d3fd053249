package dev.ratelimit.live.redis;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import dev.ratelimit.live.RuleDocument;
import dev.ratelimit.live.RuleEdit;
import dev.ratelimit.live.RuleSourceException;
import dev.ratelimit.live.RuleSourceListener;
import dev.ratelimit.live.RuleVersion;
import dev.ratelimit.live.WritableRuleSource;
import dev.ratelimit.live.WriteResult;
import dev.ratelimit.store.StoreException;

/**
 * Internal: rules in Redis, which all instances poll and may change. If Redis has lost
 * the newest version, the first instance that notices takes it back there.
 */
public final class RedisRuleSource implements WritableRuleSource {

	private final DocumentStore documents;

	private final LivePoll poll;

	private final LiveClock clock;

	private final NewestDocument newest = new NewestDocument();

	private final AtomicReference<Optional<DocumentFollower>> following = new AtomicReference<>(Optional.empty());

	RedisRuleSource(DocumentStore documents, LivePoll poll, LiveClock clock) {
		this.documents = documents;
		this.poll = poll;
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
		this.newest.know(new StoredDocument(document, this.clock.nowMillis(), StoredDocument.UNKNOWN));
	}

	@Override
	public void start(RuleSourceListener listener) {
		DocumentFollower follower = new DocumentFollower(this.documents, this.newest, this::activatingBy, listener);
		follow(Optional.of(follower));
		this.poll.add(follower);
	}

	private long activatingBy() {
		return this.clock.nowMillis() + this.poll.activationMillis();
	}

	@Override
	public Optional<RuleDocument> newest() {
		return blocking(() -> present().map(StoredDocument::document));
	}

	// Redis that has lost its data is given back first what this instance knows.
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
		return blocking(() -> {
			Optional<StoredDocument> base = present();
			long head = base.map(StoredDocument::version).orElse(0L);
			return (head == edit.head()) ? write(base, edit) : new WriteResult.Outdated(head);
		});
	}

	private WriteResult write(Optional<StoredDocument> base, RuleEdit edit) {
		long delayMillis = (this.clock.shared()) ? this.poll.activationMillis() : 0;
		StoredDocument next = NextDocument.of(base, edit, this.clock.nowMillis());
		long[] written = this.documents.write(base, next, delayMillis,
				DocumentText.meta(edit.user(), edit.note(), List.of()));
		if (written[0] == 0) {
			return new WriteResult.Outdated(written[1]);
		}
		return new WriteResult.Written(written[1],
				(written[2] > 0) ? OptionalLong.of(written[2]) : OptionalLong.empty());
	}

	@Override
	public List<RuleVersion> history(int max) {
		return blocking(() -> this.documents.history(max));
	}

	@Override
	public Optional<RuleDocument> version(long version) {
		return blocking(() -> this.documents.version(version));
	}

	private static <T> T blocking(Supplier<T> work) {
		try {
			return work.get();
		}
		catch (StoreException ex) {
			throw new RuleSourceException(LiveNames.reason(ex), ex);
		}
		catch (IllegalArgumentException ex) {
			throw new RuleSourceException("the content of Redis cannot be read: " + ex.getMessage(), ex);
		}
	}

	@Override
	public void close() {
		follow(Optional.empty());
	}

	private void follow(Optional<DocumentFollower> next) {
		this.following.getAndSet(next).ifPresent((follower) -> {
			follower.close();
			this.poll.remove(follower);
		});
	}

}
