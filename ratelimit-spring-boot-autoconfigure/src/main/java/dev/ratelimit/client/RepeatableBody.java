package dev.ratelimit.client;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.client.reactive.ClientHttpRequest;
import org.springframework.http.client.reactive.ClientHttpRequestDecorator;
import org.springframework.web.reactive.function.BodyInserter;

/**
 * A body that remembers what it wrote first, if that came in one piece, and writes the
 * same again. What it is made from is asked once: it may be spent by then.
 */
final class RepeatableBody implements BodyInserter<Object, ClientHttpRequest> {

	private static final int MOST_BYTES = 1024 * 1024;

	private static final List<String> ABOUT_THE_BODY = List.of(HttpHeaders.CONTENT_TYPE, HttpHeaders.CONTENT_LENGTH);

	private final BodyInserter<?, ? super ClientHttpRequest> source;

	private volatile @Nullable Written written;

	RepeatableBody(BodyInserter<?, ? super ClientHttpRequest> source) {
		this.source = source;
	}

	// Whether a first attempt has written a body, or none, that can be written again.
	boolean repeats() {
		return this.written != null;
	}

	@Override
	public Mono<Void> insert(ClientHttpRequest output, Context context) {
		Written written = this.written;
		return (written != null) ? written.writeTo(output) : this.source.insert(new Recorder(output), context);
	}

	/**
	 * What was written.
	 *
	 * @param bytes the body; null if there was none
	 * @param headers what was said about it
	 */
	private record Written(byte @Nullable [] bytes, HttpHeaders headers) {

		static Written of(@Nullable DataBuffer buffer, HttpHeaders all) {
			HttpHeaders headers = new HttpHeaders();
			ABOUT_THE_BODY.forEach((name) -> headers.addAll(name, all.getOrEmpty(name)));
			return new Written((buffer != null) ? copy(buffer) : null, headers);
		}

		private static byte[] copy(DataBuffer buffer) {
			byte[] copy = new byte[buffer.readableByteCount()];
			int position = buffer.readPosition();
			buffer.read(copy).readPosition(position);
			return copy;
		}

		Mono<Void> writeTo(ClientHttpRequest output) {
			this.headers.forEach((name, values) -> output.getHeaders().put(name, values));
			byte[] bytes = this.bytes;
			return (bytes != null) ? output.writeWith(Mono.fromSupplier(() -> output.bufferFactory().wrap(bytes)))
					: output.setComplete();
		}

	}

	private final class Recorder extends ClientHttpRequestDecorator {

		Recorder(ClientHttpRequest output) {
			super(output);
		}

		@Override
		public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
			return super.writeWith(
					(body instanceof Mono<? extends DataBuffer> whole) ? whole.doOnSuccess(this::record) : body);
		}

		@Override
		public Mono<Void> setComplete() {
			record(null);
			return super.setComplete();
		}

		private void record(@Nullable DataBuffer buffer) {
			if (buffer == null || buffer.readableByteCount() <= MOST_BYTES) {
				RepeatableBody.this.written = Written.of(buffer, getHeaders());
			}
		}

	}

}
