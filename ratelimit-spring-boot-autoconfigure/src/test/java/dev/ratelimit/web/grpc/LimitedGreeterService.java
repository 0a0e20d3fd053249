package dev.ratelimit.web.grpc;

import com.google.protobuf.StringValue;
import dev.ratelimit.RateLimited;
import io.grpc.stub.StreamObserver;

/**
 * A service with an annotated method.
 */
public class LimitedGreeterService extends GreeterService {

	@Override
	@RateLimited("2/h")
	public void annotated(StringValue name, StreamObserver<StringValue> observer) {
		hello(name, observer);
	}

}
