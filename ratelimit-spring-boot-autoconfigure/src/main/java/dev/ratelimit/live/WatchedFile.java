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
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * A file, and what was read of it. It is read once two looks agree, so that a file which
 * is being written is not read before its end. Not thread-safe.
 */
final class WatchedFile {

	/** No character is longer. */
	private static final long MAX_BYTES = 4L * RuleTree.MAX_CHARACTERS;

	private final Path path;

	private Optional<FileStamp> seen = Optional.empty();

	private Optional<FileStamp> read = Optional.empty();

	private boolean absent;

	private long version;

	private String digest = "";

	/** Whether the listener has not received the content yet. */
	private boolean news = true;

	WatchedFile(Path path) {
		this.path = path;
	}

	/** Publish everything again. */
	void forget() {
		this.seen = Optional.empty();
		this.read = Optional.empty();
		this.absent = false;
		this.news = true;
	}

	void look(RuleSourceListener listener) {
		try {
			look(FileStamp.of(this.path), listener);
		}
		catch (NoSuchFileException ex) {
			lookAtNothing(listener);
		}
		catch (AccessDeniedException ex) {
			listener.failed("access denied");
		}
		catch (IOException ex) {
			listener.failed("it cannot be read");
		}
	}

	private void look(FileStamp stamp, RuleSourceListener listener) throws IOException {
		boolean settled = this.seen.filter(stamp::equals).isPresent();
		this.seen = Optional.of(stamp);
		this.absent = false;
		if (!settled || this.read.filter(stamp::equals).isPresent()) {
			listener.unchanged();
			return;
		}
		byte[] content = (stamp.bytes() <= MAX_BYTES) ? Files.readAllBytes(this.path) : new byte[0];
		if (!FileStamp.of(this.path).equals(stamp)) {
			listener.unchanged();
			return;
		}
		this.read = Optional.of(stamp);
		notifyListener(stamp, content, listener);
	}

	// A file that is replaced is missing for a moment.
	private void lookAtNothing(RuleSourceListener listener) {
		boolean settled = this.absent;
		forget();
		this.absent = true;
		if (settled) {
			listener.failed("the file does not exist");
		}
		else {
			listener.unchanged();
		}
	}

	private void notifyListener(FileStamp stamp, byte[] content, RuleSourceListener listener) {
		Map<String, Object> rules;
		try {
			if (stamp.bytes() > MAX_BYTES) {
				throw new IllegalArgumentException("a document must have at most " + MAX_BYTES + " bytes");
			}
			rules = RuleText.document(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString());
		}
		catch (CharacterCodingException ex) {
			this.news = true;
			listener.invalid(0, "the text is not UTF-8");
			return;
		}
		catch (IllegalArgumentException ex) {
			this.news = true;
			listener.invalid(0, String.valueOf(ex.getMessage()));
			return;
		}
		notifyListener(stamp, rules, listener);
	}

	// Its time identifies versions even on instances that started at other times.
	private void notifyListener(FileStamp stamp, Map<String, Object> rules, RuleSourceListener listener) {
		String next = RuleText.digest(rules);
		if (!next.equals(this.digest)) {
			this.digest = next;
			this.version = Math.max(this.version + 1, stamp.modified().to(TimeUnit.SECONDS));
		}
		else if (!this.news) {
			listener.unchanged();
			return;
		}
		this.news = false;
		listener.changed(new RuleDocument(this.version, next, rules, Map.of(), OptionalLong.empty()));
	}

	/**
	 * By what a change of a file is noticed without reading it. Kubernetes replaces the
	 * file of a config map by a link to another file, whose size and time may be the
	 * same.
	 *
	 * @param bytes the size
	 * @param modified the time of the last change
	 * @param key which file it is, if the file system knows
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
