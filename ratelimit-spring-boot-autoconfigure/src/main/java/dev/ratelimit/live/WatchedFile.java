package dev.ratelimit.live;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * A file, and its last read content. It is read after two equal checks of its attributes,
 * so that a partially written file is not read. Not thread-safe.
 */
final class WatchedFile {

	private static final Log logger = LogFactory.getLog(WatchedFile.class);

	/** The maximum size: a character has at most 4 bytes. */
	private static final long MAX_BYTES = 4L * RuleTree.MAX_CHARACTERS;

	private final Path path;

	private Optional<FileStamp> seen = Optional.empty();

	private Optional<FileStamp> read = Optional.empty();

	private boolean absent;

	private long version;

	private String digest = "";

	/** Whether the receiver has not received the content yet. */
	private boolean news = true;

	WatchedFile(Path path) {
		this.path = path;
	}

	/** Discard the state, so that the content is published again. */
	void forget() {
		this.seen = Optional.empty();
		this.read = Optional.empty();
		this.absent = false;
		this.news = true;
	}

	void look(Consumer<? super RuleSource.Reading> receiver) {
		try {
			look(FileStamp.of(this.path), receiver);
		}
		catch (NoSuchFileException ex) {
			lookAtNothing(receiver);
		}
		catch (AccessDeniedException ex) {
			receiver.accept(new RuleSource.Failed("access denied", true));
		}
		catch (IOException ex) {
			receiver.accept(new RuleSource.Failed("it cannot be read", true));
		}
	}

	private void look(FileStamp stamp, Consumer<? super RuleSource.Reading> receiver) throws IOException {
		boolean settled = this.seen.filter(stamp::equals).isPresent();
		this.seen = Optional.of(stamp);
		this.absent = false;
		if (!settled || this.read.filter(stamp::equals).isPresent()) {
			receiver.accept(new RuleSource.Unchanged());
			return;
		}
		byte[] content = (stamp.bytes() <= MAX_BYTES) ? Files.readAllBytes(this.path) : new byte[0];
		if (!FileStamp.of(this.path).equals(stamp)) {
			receiver.accept(new RuleSource.Unchanged());
			return;
		}
		this.read = Optional.of(stamp);
		publish(stamp, content, receiver);
	}

	// A file that is being replaced may be missing for a moment, so absence is reported
	// at the second check.
	private void lookAtNothing(Consumer<? super RuleSource.Reading> receiver) {
		boolean settled = this.absent;
		forget();
		this.absent = true;
		if (settled) {
			receiver.accept(new RuleSource.Failed("the file does not exist", true));
		}
		else {
			receiver.accept(new RuleSource.Unchanged());
		}
	}

	private void publish(FileStamp stamp, byte[] content, Consumer<? super RuleSource.Reading> receiver) {
		Map<String, Object> rules;
		try {
			if (stamp.bytes() > MAX_BYTES) {
				throw new IllegalArgumentException("a document must have at most " + MAX_BYTES + " bytes");
			}
			rules = rules(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString());
		}
		catch (CharacterCodingException ex) {
			this.news = true;
			receiver.accept(new RuleSource.Invalid(0, "the text is not UTF-8"));
			return;
		}
		catch (IllegalArgumentException ex) {
			this.news = true;
			receiver.accept(new RuleSource.Invalid(0, String.valueOf(ex.getMessage())));
			return;
		}
		publish(stamp, rules, receiver);
	}

	private static Map<String, Object> rules(String text) {
		List<Object> documents = (text.length() <= RuleTree.MAX_CHARACTERS)
				? YamlTree.readAll(text, EnvoyDocument.MAX_DEPTH) : List.of();
		if (!EnvoyDocument.isOne(documents)) {
			return RuleText.document(text);
		}
		EnvoyDocument.Translation translation = EnvoyDocument.translate(documents);
		translation.warnings().forEach(logger::warn);
		return translation.rules();
	}

	// The version is the time of the file, so that it is equal on instances that started
	// at different times.
	private void publish(FileStamp stamp, Map<String, Object> rules, Consumer<? super RuleSource.Reading> receiver) {
		String next = RuleText.digest(rules);
		if (!next.equals(this.digest)) {
			this.digest = next;
			this.version = Math.max(this.version + 1, stamp.modified().to(TimeUnit.SECONDS));
		}
		else if (!this.news) {
			receiver.accept(new RuleSource.Unchanged());
			return;
		}
		this.news = false;
		receiver.accept(
				new RuleSource.Changed(new RuleDocument(this.version, next, rules, Map.of(), OptionalLong.empty())));
	}

	/**
	 * The attributes by which a change of a file is detected without reading it.
	 * Kubernetes replaces the file of a config map with a link to another file, whose
	 * size and time may be the same.
	 *
	 * @param bytes the size
	 * @param modified the time of the last change
	 * @param key the identity of the file, if the file system provides it
	 */
	private record FileStamp(long bytes, FileTime modified, Optional<Object> key) {

		static FileStamp of(Path file) throws IOException {
			BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
			if (!attributes.isRegularFile()) {
				throw new IOException("not a file");
			}
			return new FileStamp(attributes.size(), attributes.lastModifiedTime(),
					Optional.ofNullable(attributes.fileKey()));
		}

	}

}
