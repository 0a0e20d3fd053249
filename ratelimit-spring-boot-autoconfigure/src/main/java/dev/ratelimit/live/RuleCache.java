package dev.ratelimit.live;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import dev.ratelimit.RuleMode;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Keeps the last document and the switches in a file, for a start while the source is
 * unavailable. Only the user of the process can read the file. Thread-safe.
 */
final class RuleCache {

	private static final Log logger = LogFactory.getLog(RuleCache.class);

	private final Path file;

	private final String source;

	private Optional<Content> content = Optional.empty();

	private boolean failing;

	/**
	 * Create a cache for the document of one source. A file of another source is ignored,
	 * because versions of different sources are not comparable, and rules of one source
	 * must not be restored to another one.
	 * @param file the file
	 * @param source the name of the source
	 */
	RuleCache(Path file, String source) {
		this.file = file.toAbsolutePath();
		this.source = source;
	}

	synchronized void write(RuleDocument document) {
		save(new Content(this.source, Optional.of(document), content().switches()));
	}

	synchronized void write(List<ActiveSwitch> switches) {
		if (!switches.equals(content().switches())) {
			save(new Content(this.source, content().document(), switches));
		}
	}

	private void save(Content next) {
		this.content = Optional.of(next);
		write(next.text());
	}

	private void write(String text) {
		try {
			Path next = Files.createTempFile(this.file.getParent(), ".ratelimit", ".tmp", readableByOwner());
			try {
				Files.writeString(next, text);
				Files.move(next, this.file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
			}
			finally {
				Files.deleteIfExists(next);
			}
			this.failing = false;
		}
		catch (IOException ex) {
			warnOnce("cannot be written", ex);
		}
	}

	private static FileAttribute<?>[] readableByOwner() {
		boolean posix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
		return (posix)
				? new FileAttribute<?>[] {
						PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")) }
				: new FileAttribute<?>[0];
	}

	synchronized Optional<RuleDocument> read() {
		return content().document();
	}

	synchronized List<ActiveSwitch> switches() {
		return content().switches();
	}

	// The content that this or an earlier process wrote last.
	private Content content() {
		Content cached = this.content.orElseGet(this::load);
		this.content = Optional.of(cached);
		return cached;
	}

	private Content load() {
		try {
			return (Files.exists(this.file)) ? own(Content.of(Files.readString(this.file, StandardCharsets.UTF_8)))
					: Content.NONE;
		}
		catch (IOException | IllegalArgumentException ex) {
			warnOnce("cannot be read", ex);
			return Content.NONE;
		}
	}

	private Content own(Content read) {
		if (read.source().equals(this.source)) {
			return read;
		}
		logger.warn("The file 'ratelimit.live.cache-file' is not used: it has the rules of the source '" + read.source()
				+ "', and the source is '" + this.source + "' now. It will be overwritten.");
		return Content.NONE;
	}

	private void warnOnce(String what, Exception cause) {
		if (!this.failing) {
			logger.warn("The file 'ratelimit.live.cache-file' " + what + ": " + cause);
		}
		this.failing = true;
	}

	/**
	 * The content of the file.
	 *
	 * @param source the name of the source that the document is from
	 * @param document the last document; empty if there was none
	 * @param switches the last active switches
	 */
	private record Content(String source, Optional<RuleDocument> document, List<ActiveSwitch> switches) {

		// The maximum length: the document, plus its revisions and the switches with
		// escapes.
		private static final int MAX_CHARACTERS = 16 * RuleTree.MAX_CHARACTERS;

		private static final Content NONE = new Content("", Optional.empty(), List.of());

		private Content {
			switches = List.copyOf(switches);
		}

		String text() {
			Map<String, Object> parts = new LinkedHashMap<>();
			parts.put("source", this.source);
			this.document.ifPresent((present) -> {
				parts.put("version", String.valueOf(present.version()));
				parts.put("digest", present.digest());
				parts.put("rules", present.rules());
				parts.put("revisions", RuleRevisions.write(present.revisions()));
			});
			parts.put("switches", this.switches.stream().map(CachedSwitch::write).toList());
			return RuleText.ofDefinition(parts);
		}

		static Content of(String text) {
			if (!(YamlTree.read(text, MAX_CHARACTERS) instanceof Map<?, ?> parts)) {
				throw new IllegalArgumentException("it is not a document");
			}
			List<?> switches = (parts.get("switches") instanceof List<?> list) ? list : List.of();
			return new Content(String.valueOf(parts.get("source")), document(parts),
					switches.stream().map(CachedSwitch::read).toList());
		}

		@SuppressWarnings("unchecked")
		private static Optional<RuleDocument> document(Map<?, ?> parts) {
			if (!(parts.get("rules") instanceof Map<?, ?> rules)) {
				return Optional.empty();
			}
			Map<String, Object> entries = (Map<String, Object>) rules;
			RuleTree.check(entries);
			return Optional.of(new RuleDocument(Long.parseLong(String.valueOf(parts.get("version"))),
					String.valueOf(parts.get("digest")), entries, revisions(parts), OptionalLong.empty()));
		}

		// Files of earlier versions of this library contain no revisions.
		private static Map<String, RuleRevision> revisions(Map<?, ?> parts) {
			return (parts.get("revisions") instanceof String text) ? RuleRevisions.read(text) : Map.of();
		}

	}

	/**
	 * The form of a switch in the cache file.
	 */
	private static final class CachedSwitch {

		private CachedSwitch() {
		}

		static Map<String, Object> write(ActiveSwitch active) {
			RuleSwitch change = active.change();
			Map<String, Object> entry = new LinkedHashMap<>();
			change.rule().ifPresent((rule) -> entry.put("rule", rule));
			entry.put("mode", change.mode().name().toLowerCase(Locale.ROOT));
			entry.put("until", String.valueOf(change.untilMillis()));
			entry.put("user", change.user());
			entry.put("note", change.note());
			entry.put("instance", String.valueOf(active.instanceOnly()));
			return entry;
		}

		static ActiveSwitch read(Object value) {
			if (!(value instanceof Map<?, ?> entry)) {
				throw new IllegalArgumentException("it is not a switch");
			}
			RuleSwitch change = new RuleSwitch(Optional.ofNullable(entry.get("rule")).map(String::valueOf),
					RuleMode.valueOf(text(entry, "mode").toUpperCase(Locale.ROOT)),
					Long.parseLong(text(entry, "until")), text(entry, "user"), text(entry, "note"));
			return new ActiveSwitch(change, Boolean.parseBoolean(text(entry, "instance")));
		}

		private static String text(Map<?, ?> entry, String name) {
			return Optional.ofNullable(entry.get(name)).map(String::valueOf).orElse("");
		}

	}

}
