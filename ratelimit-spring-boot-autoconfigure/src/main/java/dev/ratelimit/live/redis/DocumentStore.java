package dev.ratelimit.live.redis;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;

import dev.ratelimit.live.RuleDocument;
import dev.ratelimit.live.RuleRevisions;
import dev.ratelimit.live.RuleText;
import dev.ratelimit.live.RuleVersion;
import dev.ratelimit.store.redis.SharedKeys;
import dev.ratelimit.store.redis.SharedScript;
import dev.ratelimit.store.redis.SharedSession;

/**
 * Reads and writes documents, each time over a separate connection. All methods may block
 * for a few seconds. They throw a {@link dev.ratelimit.store.StoreException} if Redis is
 * unavailable, and an {@link IllegalArgumentException} if its content is unreadable.
 * Thread-safe.
 */
final class DocumentStore {

	/** The number of versions that are kept. */
	static final int VERSIONS = RuleRevisions.KEPT_VERSIONS;

	/**
	 * The maximum length of an entry of the log; longer entries omit the changes.
	 */
	private static final int MAX_LOGGED = 4096;

	private final SharedKeys keys;

	private final SharedScript write;

	private final SharedScript restore;

	DocumentStore(SharedKeys keys) {
		this.keys = keys;
		String[] names = { LiveNames.HEAD, LiveNames.VERSIONS, LiveNames.LOG };
		this.write = keys.script(List.of("live-keep", "live-write"), names);
		this.restore = keys.script(List.of("live-keep", "live-restore"), names);
	}

	Optional<StoredDocument> newest() {
		try (SharedSession session = this.keys.open()) {
			return stored(session.hash(LiveNames.HEAD));
		}
	}

	private static Optional<StoredDocument> stored(Map<String, String> head) {
		if (!head.containsKey("version")) {
			return Optional.empty();
		}
		long version = number(head, "version");
		String digest = field(head, "digest");
		try {
			long activate = number(head, "activate");
			RuleDocument document = DocumentText.document(version, digest,
					(activate > 0) ? OptionalLong.of(activate) : OptionalLong.empty(), field(head, "text"),
					field(head, "revisions"));
			return Optional.of(new StoredDocument(document, number(head, "at"), field(head, "meta")));
		}
		catch (IllegalArgumentException ex) {
			throw new UnreadableDocumentException(version, digest, ex);
		}
	}

	/**
	 * Write the next version.
	 * @param base the document that it is based on; empty for none
	 * @param next the next document, whose times are not known yet
	 * @param text the text of its rules
	 * @param delayMillis the time until it becomes active, in milliseconds; 0 for
	 * immediate activation
	 * @param log the user, and the note
	 * @return the reply
	 */
	WriteReply write(Optional<StoredDocument> base, StoredDocument next, String text, long delayMillis, String log) {
		RuleDocument document = next.document();
		List<String> arguments = List.of(base.map(StoredDocument::version).orElse(0L).toString(),
				base.map((stored) -> stored.document().digest()).orElse(""), Long.toString(delayMillis),
				document.digest(), next.meta(), text, RuleRevisions.write(document.revisions()),
				logged(next.meta(), log));
		try (SharedSession session = this.keys.open()) {
			long[] reply = session.run(this.write, arguments);
			return new WriteReply(reply[1] != 0, reply[2], reply[3], reply[0]);
		}
	}

	void restore(StoredDocument stored) {
		RuleDocument document = stored.document();
		List<String> arguments = List.of(Long.toString(stored.version()), document.digest(),
				Long.toString(document.activateAtMillis().orElse(0)), Long.toString(stored.atMillis()), stored.meta(),
				RuleText.of(document.rules()), RuleRevisions.write(document.revisions()), "restored");
		try (SharedSession session = this.keys.open()) {
			session.run(this.restore, arguments);
		}
	}

	List<RuleVersion> history(int max) {
		try (SharedSession session = this.keys.open()) {
			long newest = session.hash(LiveNames.HEAD, List.of("version")).get(0).map(Long::parseLong).orElse(0L);
			List<Long> versions = LongStream.rangeClosed(0, Math.min(max, VERSIONS) - 1L)
				.map((back) -> newest - back)
				.filter((version) -> version > 0)
				.boxed()
				.toList();
			return (versions.isEmpty()) ? List.of() : history(session, versions);
		}
	}

	private static List<RuleVersion> history(SharedSession session, List<Long> versions) {
		List<Optional<String>> kept = session.hash(LiveNames.VERSIONS, versions.stream().map(String::valueOf).toList());
		return LongStream.range(0, versions.size())
			.mapToObj((index) -> kept.get((int) index)
				.map((text) -> KeptVersion.of(text).version(versions.get((int) index))))
			.flatMap(Optional::stream)
			.toList();
	}

	Optional<RuleDocument> version(long version) {
		String name = Long.toString(version);
		try (SharedSession session = this.keys.open()) {
			List<Optional<String>> kept = session.hash(LiveNames.VERSIONS, List.of(name, name + ":text"));
			return kept.get(0)
				.flatMap((about) -> kept.get(1)
					.map((text) -> DocumentText.document(version, KeptVersion.of(about).digest(), OptionalLong.empty(),
							text, "{}")));
		}
	}

	private static String logged(String meta, String log) {
		return (meta.length() <= MAX_LOGGED) ? meta : log;
	}

	private static String field(Map<String, String> head, String name) {
		return Optional.ofNullable(head.get(name))
			.orElseThrow(() -> new IllegalArgumentException("'" + name + "' is missing"));
	}

	private static long number(Map<String, String> head, String name) {
		return Long.parseLong(field(head, name));
	}

	/**
	 * The stored data of a version in addition to its text: time, digest, and metadata
	 * such as the user.
	 */
	private record KeptVersion(long atMillis, String digest, String meta) {

		static KeptVersion of(String text) {
			Stamped stamped = Stamped.of(text);
			int end = stamped.text().indexOf(' ');
			return new KeptVersion(stamped.atMillis(), stamped.text().substring(0, Math.max(0, end)),
					stamped.text().substring(end + 1));
		}

		RuleVersion version(long version) {
			return DocumentText.version(version, this.atMillis, this.meta);
		}

	}

	/**
	 * The reply to an attempt to write.
	 *
	 * @param written whether the document was written
	 * @param newest the newest version after the attempt
	 * @param activateAtMillis the time at which it becomes active; 0 for immediate
	 * activation
	 * @param atMillis the time of the attempt
	 */
	record WriteReply(boolean written, long newest, long activateAtMillis, long atMillis) {

		OptionalLong activation() {
			return (this.activateAtMillis > 0) ? OptionalLong.of(this.activateAtMillis) : OptionalLong.empty();
		}

	}

}
