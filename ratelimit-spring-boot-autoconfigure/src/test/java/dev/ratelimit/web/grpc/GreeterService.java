package dev.ratelimit.web.grpc;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import com.google.protobuf.StringValue;
import io.grpc.BindableService;
import io.grpc.Context;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;

/**
 * A service that is bound manually, so that no messages need to be generated.
 */
public class GreeterService implements BindableService {

	static final String NAME = "demo.v1.Greeter";

	static final MethodDescriptor<StringValue, StringValue> HELLO = method("Hello", MethodType.UNARY);

	static final MethodDescriptor<StringValue, StringValue> ANNOTATED = method("Annotated", MethodType.UNARY);

	static final MethodDescriptor<StringValue, StringValue> FAIL = method("Fail", MethodType.UNARY);

	static final MethodDescriptor<StringValue, StringValue> HOLD = method("Hold", MethodType.UNARY);

	static final MethodDescriptor<StringValue, StringValue> UPLOAD = method("Upload", MethodType.CLIENT_STREAMING);

	static final MethodDescriptor<StringValue, StringValue> STREAM = method("Stream", MethodType.SERVER_STREAMING);

	final AtomicInteger calls = new AtomicInteger();

	volatile CountDownLatch release = new CountDownLatch(0);

	final AtomicInteger released = new AtomicInteger();

	final AtomicReference<Context> held = new AtomicReference<>();

	private static MethodDescriptor<StringValue, StringValue> method(String name, MethodType type) {
		return MethodDescriptor.<StringValue, StringValue>newBuilder()
			.setType(type)
			.setFullMethodName(MethodDescriptor.generateFullMethodName(NAME, name))
			.setRequestMarshaller(ProtoUtils.marshaller(StringValue.getDefaultInstance()))
			.setResponseMarshaller(ProtoUtils.marshaller(StringValue.getDefaultInstance()))
			.build();
	}

	@Override
	public ServerServiceDefinition bindService() {
		return ServerServiceDefinition.builder(NAME)
			.addMethod(HELLO, ServerCalls.asyncUnaryCall(this::hello))
			.addMethod(ANNOTATED, ServerCalls.asyncUnaryCall(this::annotated))
			.addMethod(FAIL, ServerCalls.asyncUnaryCall(this::fail))
			.addMethod(HOLD, ServerCalls.asyncUnaryCall(this::hold))
			.addMethod(UPLOAD, ServerCalls.asyncClientStreamingCall(this::upload))
			.addMethod(STREAM, ServerCalls.asyncServerStreamingCall(this::stream))
			.build();
	}

	public void hello(StringValue name, StreamObserver<StringValue> observer) {
		this.calls.incrementAndGet();
		observer.onNext(StringValue.of("Hello " + name.getValue()));
		observer.onCompleted();
	}

	public void annotated(StringValue name, StreamObserver<StringValue> observer) {
		hello(name, observer);
	}

	public void fail(StringValue how, StreamObserver<StringValue> observer) {
		if (how.getValue().equals("throw")) {
			throw new IllegalStateException("thrown on purpose");
		}
		if (how.getValue().equals("error")) {
			throw new LinkageError("thrown on purpose");
		}
		observer.onError(Status.fromCode(Status.Code.valueOf(how.getValue())).asRuntimeException());
	}

	public void hold(StringValue name, StreamObserver<StringValue> observer) {
		this.held.set(Context.current());
		this.calls.incrementAndGet();
		try {
			this.release.await(30, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		try {
			if (name.getValue().equals("error")) {
				throw new LinkageError("thrown on purpose");
			}
			observer.onNext(name);
			observer.onCompleted();
		}
		finally {
			this.released.incrementAndGet();
		}
	}

	public StreamObserver<StringValue> upload(StreamObserver<StringValue> observer) {
		throw new UnsupportedOperationException();
	}

	public void stream(StringValue name, StreamObserver<StringValue> observer) {
		for (int i = 0; i < 3; i++) {
			observer.onNext(name);
		}
		observer.onCompleted();
	}

}
