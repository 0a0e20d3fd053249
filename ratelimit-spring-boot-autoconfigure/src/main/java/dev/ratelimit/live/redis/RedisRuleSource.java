package dev.ratelimit.live.redis;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import dev.ratelimit.live.RuleDocument;
import dev.ratelimit.live.RuleEdit;
import dev.ratelimit.live.RuleSourceListener;
import dev.ratelimit.live.RuleText;
import dev.ratelimit.live.RuleVersion;
import dev.ratelimit.live.WritableRuleSource;
import dev.ratelimit.live.WriteResult;

/**
 * Internal: rules in Redis, which all instances poll and may change. If Redis has lost
 * the newest version, the first instance that notices takes it back there.
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
		this.newest.know(new StoredDocument(document, writtenMillis(document), StoredDocument.UNKNOWN));
	}

	// 0 if it is not known: what was written to Redis since prevails.
	private static long writtenMillis(RuleDocument document) {
		return document.revisions().values().stream().mapToLong((last) -> last.at().toEpochMilli()).max().orElse(0);
	}

	@Override
	public void start(RuleSourceListener listener) {
		this.following.start(new DocumentFollower(this.documents, this.newest, this::activatingBy, listener));
	}

	private long activatingBy() {
		return this.clock.nowMillis() + this.poll.activationMillis();
	}

	@Override
	public Optional<RuleDocument> newest() {
		return LiveFailures.translated(() -> present().map(StoredDocument::document));
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
		String text = RuleText.readable(edit.rules());
		return LiveFailures.translated(() -> {
			Optional<StoredDocument> base = replaceable();
			long head = base.map(StoredDocument::version).orElse(0L);
			return (head == edit.head()) ? write(base, edit, text) : new WriteResult.Outdated(head);
		});
	}

	// To replace a document, its version and its digest are enough.
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
		long[] written = this.documents.write(base, next, text, delayMillis,
				DocumentText.meta(edit.user(), edit.note(), List.of()));
		if (written[0] == 0) {
			return new WriteResult.Outdated(written[1]);
		}
		OptionalLong activate = (written[2] > 0) ? OptionalLong.of(written[2]) : OptionalLong.empty();
		// This instance may be the only one that has seen it if Redis loses it now.
		this.newest.know(next.written(written[3], activate));
		return new WriteResult.Written(written[1], activate);
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

}
