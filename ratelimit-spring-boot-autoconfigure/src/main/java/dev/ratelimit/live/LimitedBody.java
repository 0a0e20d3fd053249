package dev.ratelimit.live;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

import org.jspecify.annotations.Nullable;

/**
 * The body of a response, up to a length: no server fills the memory.
 */
final class LimitedBody implements HttpResponse.BodySubscriber<byte[]> {

	private final HttpResponse.BodySubscriber<byte[]> body = HttpResponse.BodySubscribers.ofByteArray();

	private long left;

	private Flow.@Nullable Subscription subscription;

	LimitedBody(long max) {
		this.left = max;
	}

	@Override
	public CompletionStage<byte[]> getBody() {
		return this.body.getBody();
	}

	@Override
	public void onSubscribe(Flow.Subscription next) {
		this.subscription = next;
		this.body.onSubscribe(next);
	}

	@Override
	public void onNext(List<ByteBuffer> parts) {
		this.left -= parts.stream().mapToLong(ByteBuffer::remaining).sum();
		if (this.left >= 0) {
			this.body.onNext(parts);
		}
		else if (this.subscription != null) {
			this.subscription.cancel();
			this.body.onError(new IOException("the response is too long"));
		}
	}

	@Override
	public void onError(Throwable failure) {
		this.body.onError(failure);
	}

	@Override
	public void onComplete() {
		this.body.onComplete();
	}

}
