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
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Keeps the last document in a file, for a start while the source is unavailable. Only
 * the user that the application runs as may read the file. Not thread-safe.
 */
final class RuleCache {

	private static final Log logger = LogFactory.getLog(RuleCache.class);

	private final Path file;

	private boolean failing;

	RuleCache(Path file) {
		this.file = file.toAbsolutePath();
	}

	void write(RuleDocument document) {
		Map<String, Object> content = new LinkedHashMap<>();
		content.put("version", String.valueOf(document.version()));
		content.put("digest", document.digest());
		content.put("rules", document.rules());
		try {
			Path next = Files.createTempFile(this.file.getParent(), ".ratelimit", ".tmp", readableByOwner());
			try {
				Files.writeString(next, RuleText.ofDefinition(content));
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

	Optional<RuleDocument> read() {
		try {
			return (Files.exists(this.file))
					? Optional.of(document(Files.readString(this.file, StandardCharsets.UTF_8))) : Optional.empty();
		}
		catch (IOException | IllegalArgumentException ex) {
			warnOnce("cannot be read", ex);
			return Optional.empty();
		}
	}

	@SuppressWarnings("unchecked")
	private static RuleDocument document(String text) {
		if (!(YamlTree.read(text) instanceof Map<?, ?> content) || !(content.get("rules") instanceof Map<?, ?> rules)) {
			throw new IllegalArgumentException("it is not a document");
		}
		Map<String, Object> entries = (Map<String, Object>) rules;
		RuleTree.check(entries);
		String digest = String.valueOf(content.get("digest"));
		return new RuleDocument(Long.parseLong(String.valueOf(content.get("version"))), digest, entries, Map.of(),
				OptionalLong.empty());
	}

	private void warnOnce(String what, Exception cause) {
		if (!this.failing) {
			logger.warn("The file 'ratelimit.live.cache-file' " + what + ": " + cause);
		}
		this.failing = true;
	}

}
