package dev.ratelimit.web.grpc;

import com.google.protobuf.StringValue;
import dev.ratelimit.RateLimited;
import io.grpc.stub.StreamObserver;

/**
 * A service with an annotated method, and one that calls a limited method of a bean.
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
	@RateLimited("2/h")
	public void annotated(StringValue name, StreamObserver<StringValue> observer) {
		hello(name, observer);
	}

}
