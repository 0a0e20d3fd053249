package dev.ratelimit.live;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * A source for tests, which calls its receiver immediately, on the thread that writes.
 */
public class MemoryRuleSource implements WritableRuleSource {

	private final List<RuleDocument> documents = new ArrayList<>();

	private final List<RuleVersion> versions = new ArrayList<>();

	private @Nullable Consumer<? super Reading> receiver;

	/** The reason why the source is unavailable; empty if it is available. */
	private Optional<String> failure = Optional.empty();

	/** The reason why the current text is not a document; empty if it is one. */
	private Optional<String> invalid = Optional.empty();

	private Optional<RuleDocument> remembered = Optional.empty();

	private boolean removed;

	/** The time at which written documents become active; empty for immediately. */
	private OptionalLong activateAtMillis = OptionalLong.empty();

	@Override
	public String name() {
		return "memory";
	}

	@Override
	public synchronized void start(Consumer<? super Reading> next) {
		this.receiver = next;
		tell();
	}

	@Override
	public synchronized void close() {
		this.receiver = null;
	}

	public synchronized boolean isStarted() {
		return this.receiver != null;
	}

	/**
	 * Make the source unavailable.
	 * @param reason the reason
	 */
	public synchronized void fail(String reason) {
		this.failure = Optional.of(reason);
		tell();
	}

	/** Make the source available. */
	public synchronized void recover() {
		this.failure = Optional.empty();
		tell();
	}

	/**
	 * Put a document into the source, regardless of its content.
	 * @param text its text
	 */
	public synchronized void put(String text) {
		this.removed = false;
		this.invalid = Optional.empty();
		try {
			Map<String, Object> rules = RuleText.document(text);
			add(new RuleEdit(head(), rules, Map.of(), "", "", List.of()), OptionalLong.empty());
		}
		catch (IllegalArgumentException ex) {
			this.invalid = Optional.ofNullable(ex.getMessage());
			tell();
		}
	}

	/**
	 * Put a document into the source that becomes active later.
	 * @param text its text
	 * @param activateAtMillis the activation time in milliseconds
	 */
	public synchronized void put(String text, long activateAtMillis) {
		add(new RuleEdit(head(), RuleText.document(text), Map.of(), "", "", List.of()),
				OptionalLong.of(activateAtMillis));
	}

	/**
	 * Set the activation time of later writes.
	 * @param millis the time in milliseconds; empty for immediate activation
	 */
	public synchronized void activateWritesAt(OptionalLong millis) {
		this.activateAtMillis = millis;
	}

	/** Remove the document. */
	public synchronized void remove() {
		this.removed = true;
		tell();
	}

	/** Lose all documents, like a store that starts empty. */
	public synchronized void lose() {
		this.documents.clear();
		this.versions.clear();
	}

	// Keep the document for assertions only.
	@Override
	public synchronized void remember(RuleDocument document) {
		this.remembered = Optional.of(document);
	}

	public synchronized Optional<RuleDocument> remembered() {
		return this.remembered;
	}

	/** Pass the current document to the receiver. */
	public synchronized void tell() {
		Consumer<? super Reading> present = this.receiver;
		if (present == null) {
			return;
		}
		if (this.failure.isPresent()) {
			present.accept(new Failed(this.failure.get()));
		}
		else if (this.invalid.isPresent()) {
			present.accept(new Invalid(head() + 1, this.invalid.get()));
		}
		else if (this.documents.isEmpty() || this.removed) {
			present.accept(new Absent());
		}
		else {
			present.accept(new Changed(this.documents.get(this.documents.size() - 1)));
		}
	}

	/** Report to the receiver that nothing has changed. */
	public synchronized void tellUnchanged() {
		Optional.ofNullable(this.receiver).ifPresent((present) -> present.accept(new Unchanged()));
	}

	@Override
	public synchronized Optional<RuleDocument> newest() {
		requireAvailable();
		return (this.documents.isEmpty() || this.removed) ? Optional.empty()
				: Optional.of(this.documents.get(this.documents.size() - 1));
	}

	@Override
	public synchronized WriteResult write(RuleEdit edit) {
		requireAvailable();
		if (edit.head() != head()) {
			return new WriteResult.Outdated(head());
		}
		add(edit, this.activateAtMillis);
		return new WriteResult.Written(head(), this.activateAtMillis);
	}

	private void add(RuleEdit edit, OptionalLong activateAtMillis) {
		long version = head() + 1;
		Map<String, RuleRevision> revisions = new HashMap<>();
		RuleDocument before = (this.documents.isEmpty()) ? null : this.documents.get(this.documents.size() - 1);
		edit.rules().forEach((id, entry) -> {
			boolean same = before != null && entry.equals(before.rules().get(id));
			revisions.put(id, (same) ? before.revisions().get(id) : new RuleRevision(version, Instant.EPOCH,
					edit.user(), edit.note(), edit.replaced().getOrDefault(id, Map.of())));
		});
		this.documents
			.add(new RuleDocument(version, RuleText.digest(edit.rules()), edit.rules(), revisions, activateAtMillis));
		this.versions.add(0, new RuleVersion(version, Instant.EPOCH, edit.user(), edit.note(), edit.changes()));
		tell();
	}

	private long head() {
		return this.documents.size();
	}

	@Override
	public synchronized List<RuleVersion> history(int max) {
		requireAvailable();
		return this.versions.stream().limit(max).toList();
	}

	@Override
	public synchronized Optional<RuleDocument> version(long version) {
		requireAvailable();
		return this.documents.stream().filter((document) -> document.version() == version).findFirst();
	}

	private void requireAvailable() {
		this.failure.ifPresent((reason) -> {
			throw new RuleSourceException(reason, new IllegalStateException(reason));
		});
	}

}
