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
 * The content of a form, of which a part was read: the rest is read when it is requested.
 * It can be had as fields and as bytes.
 */
final class FormContent {

	private final FormSize largest;

	private byte[] read;

	/** Null once all is read. */
	private @Nullable InputStream rest;

	/** Whether the application reads the rest itself. */
	private boolean streamed;

	/** Whether the fields are found without this content. */
	private boolean elsewhere;

	/**
	 * Content.
	 * @param read what was read
	 * @param rest the rest; null if all is read
	 * @param largest how much is read at most to find the fields
	 */
	FormContent(byte[] read, @Nullable InputStream rest, FormSize largest) {
		this.read = read;
		this.rest = rest;
		this.largest = largest;
	}

	/**
	 * The content from its beginning.
	 * @return a stream of it, which takes what has not been read yet
	 */
	ServletInputStream stream() {
		InputStream bytes = new ByteArrayInputStream(this.read);
		this.streamed = this.rest != null;
		return new Replay((this.rest != null) ? new SequenceInputStream(bytes, this.rest) : bytes);
	}

	/**
	 * The fields.
	 * @param charset the charset of the content
	 * @return the values of each, in their order; none if the application reads the
	 * content itself
	 * @throws UnreadableFormException if they cannot be read
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
	 * From now on, this is the content as bytes alone, since the request has its fields
	 * already.
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
	 * Reads content again. It blocks.
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
