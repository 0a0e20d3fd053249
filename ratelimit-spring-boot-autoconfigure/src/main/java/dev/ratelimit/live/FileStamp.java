package dev.ratelimit.live;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Optional;

/**
 * By what a change of a file is noticed without reading it. Kubernetes replaces the file
 * of a config map by a link to another file, whose size and time may be the same.
 *
 * @param bytes the size
 * @param modified the time of the last change
 * @param key which file it is, if the file system knows
 */
record FileStamp(long bytes, FileTime modified, Optional<Object> key) {

	static FileStamp of(Path file) throws IOException {
		BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
		if (!attributes.isRegularFile()) {
			throw new IOException("not a file");
		}
		return new FileStamp(attributes.size(), attributes.lastModifiedTime(),
				Optional.ofNullable(attributes.fileKey()));
	}

}
