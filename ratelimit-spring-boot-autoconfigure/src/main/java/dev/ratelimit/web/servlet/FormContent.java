package dev.ratelimit.web.servlet;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.URLDecoder;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The partially read content of a form. The rest is read on demand. The content is
 * available as fields and as bytes.
 */
final class FormContent {

	private final FormSize largest;

	private byte[] read;

	/** Null when all content is read. */
	private @Nullable InputStream rest;

	/** Whether the application reads the rest as a stream. */
	private boolean streamed;

	/** Whether the request already has the fields, independent of this content. */
	private boolean elsewhere;

	/**
	 * Create content.
	 * @param read the bytes that were read
	 * @param rest the rest; null if all content is read
	 * @param largest the maximum size that is read to find the fields
	 */
	FormContent(byte[] read, @Nullable InputStream rest, FormSize largest) {
		this.read = read;
		this.rest = rest;
		this.largest = largest;
	}

	/**
	 * Return whether all content was read.
	 * @return whether it was
	 */
	boolean isRead() {
		return this.rest == null;
	}

	/**
	 * Return the content from its beginning.
	 * @return a stream, which reads the rest on demand
	 */
	ServletInputStream stream() {
		InputStream bytes = new ByteArrayInputStream(this.read);
		this.streamed = this.rest != null;
		return new Replay((this.rest != null) ? new SequenceInputStream(bytes, this.rest) : bytes);
	}

	/**
	 * Return the fields.
	 * @param charset the charset of the content
	 * @return the values of each field, in their order; no fields if the application
	 * reads the content as a stream
	 * @throws UnreadableFormException if the fields cannot be read
	 */
	Map<String, List<String>> fields(Charset charset) {
		if (this.streamed || this.elsewhere) {
			return Map.of();
		}
		try {
			return parse(new String(bytes(), charset), charset);
		}
		catch (IOException | IllegalArgumentException ex) {
			throw new UnreadableFormException(ex);
		}
	}

	/**
	 * Provide the content only as bytes from now on, because the request already has the
	 * fields.
	 */
	void leaveFields() {
		this.elsewhere = true;
	}

	private byte[] bytes() throws IOException {
		InputStream unread = this.rest;
		if (unread != null) {
			ByteArrayOutputStream all = new ByteArrayOutputStream();
			all.writeBytes(this.read);
			all.writeBytes(unread.readNBytes(Math.max(0, this.largest.bytes() + 1 - this.read.length)));
			this.read = all.toByteArray();
			this.rest = (this.read.length > this.largest.bytes()) ? unread : null;
		}
		if (this.read.length > this.largest.bytes()) {
			throw UnreadableFormException
				.tooLarge(new IOException("The form has more than " + this.largest.bytes() + " bytes"));
		}
		return this.read;
	}

	private Map<String, List<String>> parse(String text, Charset charset) {
		Map<String, List<String>> fields = new LinkedHashMap<>();
		int count = 0;
		for (int start = 0, end; start < text.length(); start = end + 1) {
			int next = text.indexOf('&', start);
			end = (next < 0) ? text.length() : next;
			if (end > start) {
				count++;
				if (count > this.largest.fields()) {
					throw UnreadableFormException.tooLarge(new IllegalArgumentException(
							"The form has more than " + this.largest.fields() + " fields"));
				}
				add(text.substring(start, end), charset, fields);
			}
		}
		return fields;
	}

	private static void add(String pair, Charset charset, Map<String, List<String>> fields) {
		int equals = pair.indexOf('=');
		String name = (equals < 0) ? pair : pair.substring(0, equals);
		String value = (equals < 0) ? "" : pair.substring(equals + 1);
		fields.computeIfAbsent(URLDecoder.decode(name, charset), (same) -> new ArrayList<>(1))
			.add(URLDecoder.decode(value, charset));
	}

	/**
	 * A stream that reads the content again. Reads block.
	 */
	private static final class Replay extends ServletInputStream {

		private final InputStream bytes;

		private boolean finished;

		Replay(InputStream bytes) {
			this.bytes = bytes;
		}

		@Override
		public int read() throws IOException {
			int next = this.bytes.read();
			this.finished = next < 0;
			return next;
		}

		@Override
		public int read(byte[] target, int offset, int length) throws IOException {
			int count = this.bytes.read(target, offset, length);
			this.finished = count < 0;
			return count;
		}

		@Override
		public int available() throws IOException {
			return this.bytes.available();
		}

		@Override
		public boolean isFinished() {
			return this.finished;
		}

		@Override
		public boolean isReady() {
			return true;
		}

		@Override
		public void setReadListener(ReadListener listener) {
			throw new IllegalStateException(
					"A rate limit has begun to read the form: it cannot be read without" + " blocking any more");
		}

	}

}
