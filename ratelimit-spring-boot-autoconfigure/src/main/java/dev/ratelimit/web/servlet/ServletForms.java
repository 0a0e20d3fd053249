package dev.ratelimit.web.servlet;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import dev.ratelimit.web.Form;
import dev.ratelimit.web.ParameterName;
import dev.ratelimit.web.QueryParameter;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;

/**
 * Internal: reads forms on the threads of the server, and passes them to later filters
 * and handlers. Because clients may send forms slowly, the number of platform threads
 * that wait for content at a time and the time of a read are bounded, and one client uses
 * at most a quarter of these threads. A form that no such thread is available for is read
 * only if it is small and has arrived completely. Thread-safe.
 */
final class ServletForms {

	private static final int FORM_THREADS_PER_CLIENT_THREAD = 4;

	private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(5);

	private static final int BUFFER_BYTES = 8192;

	// All threads of the server may keep such a form at the same time.
	private static final int SMALL_BYTES = 8192;

	private final int share;

	private final Semaphore threads;

	private final Map<String, Integer> byClient = new HashMap<>();

	private final FormSize largest;

	private final LongSupplier nanos;

	/**
	 * Create a reader of forms.
	 * @param threads the maximum number of platform threads that wait for content at a
	 * time, at least 1
	 * @param largest the maximum size of forms
	 * @param nanos the clock
	 */
	ServletForms(int threads, FormSize largest, LongSupplier nanos) {
		this.threads = new Semaphore(threads);
		this.share = Math.max(1, threads / FORM_THREADS_PER_CLIENT_THREAD);
		this.largest = largest;
		this.nanos = nanos;
	}

	static boolean isForm(HttpServletRequest request) {
		return Form.isForm(request.getMethod(), request.getContentType());
	}

	/**
	 * Read a form on the calling thread, if there is one to read.
	 * @param request the request
	 * @param client the client that sends it
	 * @param bounded whether the thread is a platform thread, whose number is bounded
	 * @return the content
	 * @throws UnreadableFormException if the content is not a form or is incomplete
	 */
	Content read(HttpServletRequest request, String client, boolean bounded) {
		if (!isForm(request)) {
			return new Content((Form.mayHaveFields(request.getContentType())) ? Form.UNREAD : Form.NOTHING, request);
		}
		// The server rejects the form when it is read.
		if (request.getContentLengthLong() > this.largest.bytes()) {
			return new Content(Form.UNREAD, request);
		}
		try {
			return (bounded) ? readOnServerThread(request, client) : read(request, request.getInputStream(), true);
		}
		catch (IllegalStateException ex) {
			// An earlier filter has read the content with a reader.
			return container(request);
		}
		catch (IOException ex) {
			throw new UnreadableFormException(ex);
		}
	}

	private Content readOnServerThread(HttpServletRequest request, String client) throws IOException {
		if (!enter(client)) {
			return (isSmall(request)) ? read(request, request.getInputStream(), false)
					: new Content(Form.UNREAD, request);
		}
		try {
			return read(request, request.getInputStream(), true);
		}
		finally {
			leave(client);
		}
	}

	private static boolean isSmall(HttpServletRequest request) {
		long length = request.getContentLengthLong();
		return length >= 0 && length <= SMALL_BYTES;
	}

	private boolean enter(String client) {
		synchronized (this.byClient) {
			int own = this.byClient.getOrDefault(client, 0);
			if (own >= this.share || !this.threads.tryAcquire()) {
				return false;
			}
			this.byClient.put(client, own + 1);
			return true;
		}
	}

	private void leave(String client) {
		synchronized (this.byClient) {
			this.threads.release();
			this.byClient.computeIfPresent(client, (same, own) -> (own > 1) ? own - 1 : null);
		}
	}

	// Tomcat reports how much is available only after it has returned a byte. Its stream
	// blocks even if no byte is required, as by readNBytes after its last one.
	private static void readAvailable(ServletInputStream content, ByteArrayOutputStream bytes) throws IOException {
		byte[] buffer = new byte[Math.min(content.available(), BUFFER_BYTES)];
		if (buffer.length > 0) {
			bytes.write(buffer, 0, Math.max(0, content.read(buffer)));
		}
	}

	// Blocks for one byte at a time, until it arrives or the timeout of the server
	// elapses. A thread that may not wait reads only bytes that have arrived.
	private Content read(HttpServletRequest request, ServletInputStream content, boolean mayWait) throws IOException {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		long start = this.nanos.getAsLong();
		while ((mayWait || content.available() > 0 || content.isFinished()) && bytes.size() <= this.largest.bytes()
				&& this.nanos.getAsLong() - start < MAX_NANOS) {
			int next = content.read();
			if (next < 0) {
				return (bytes.size() > 0) ? whole(request, bytes) : container(request);
			}
			bytes.write(next);
			readAvailable(content, bytes);
		}
		// After getInputStream(), the server does not parse the form, even if nothing was
		// read.
		FormContent begun = new FormContent(bytes.toByteArray(), content, this.largest);
		return new Content(Form.UNREAD, new FormRequest(request, begun));
	}

	private Content whole(HttpServletRequest request, ByteArrayOutputStream bytes) {
		FormContent content = new FormContent(bytes.toByteArray(), null, this.largest);
		FormRequest repeatable = new FormRequest(request, content);
		if (!repeatable.repeatsParameters()) {
			return new Content(form(repeatable), repeatable);
		}
		content.leaveFields();
		return new Content(form(request), new FormRequest(request, content));
	}

	// For empty content, or if an earlier filter has made the server read the form.
	private static Content container(HttpServletRequest request) {
		return new Content(form(request), request);
	}

	private static CompletableFuture<Form> form(HttpServletRequest request) {
		try {
			// The first access parses the form, and may fail.
			request.getParameterMap();
		}
		catch (RuntimeException ex) {
			throw new UnreadableFormException(ex);
		}
		return CompletableFuture.completedFuture((name) -> Optional.of(values(request, name)));
	}

	/**
	 * Return the values of a parameter of a request without a form that is read here.
	 * @param request the request
	 * @param query its query string
	 * @param name the parameter's name
	 * @return all its values; empty if they are in parts that were not read
	 */
	static Optional<List<String>> parameters(HttpServletRequest request, String query, String name) {
		if (Form.isMultipart(request.getContentType())) {
			// If the query has only another spelling, the value of a part would take
			// precedence.
			return Optional.of(QueryParameter.all(query, name))
				.filter((values) -> QueryParameter.first(query, name).isPresent());
		}
		try {
			return Optional.of(values(request, name));
		}
		catch (RuntimeException ex) {
			// The server cannot read the content as a form.
			return Optional.empty();
		}
	}

	private static List<String> values(HttpServletRequest request, String name) {
		return new ParameterName(name).of(request.getParameterMap(), List::of);
	}

	/**
	 * The content of a request that was read.
	 *
	 * @param form the form
	 * @param forHandler the request for the filters and handlers after this one
	 */
	record Content(CompletableFuture<Form> form, HttpServletRequest forHandler) {
	}

}
