package dev.ratelimit.web.grpc;

import java.util.concurrent.CompletionException;

import com.google.protobuf.StringValue;
import dev.ratelimit.RateLimited;
import io.grpc.stub.StreamObserver;
import org.mockito.Mockito;

/**
 * A service with an annotated method, and with a method that calls a limited method of a
 * bean.
 */
public class LimitedGreeterService extends GreeterService {

	private final Runnable limited;

	LimitedGreeterService(Runnable limited) {
		this.limited = limited;
	}

	@Override
	public void hold(StringValue name, StreamObserver<StringValue> observer) {
		this.limited.run();
		hello(name, observer);
	}

	@Override
	public void fail(StringValue how, StreamObserver<StringValue> observer) {
		try {
			this.limited.run();
			hello(how, observer);
		}
		catch (RuntimeException ex) {
			observer.onError(new CompletionException(ex));
		}
	}

	@Override
	public StreamObserver<StringValue> upload(StreamObserver<StringValue> observer) {
		this.limited.run();
		observer.onNext(StringValue.of("uploaded"));
		observer.onCompleted();
		return Mockito.mock();
	}

	@Override
	@RateLimited("2/h")
	public void annotated(StringValue name, StreamObserver<StringValue> observer) {
		hello(name, observer);
	}

}
