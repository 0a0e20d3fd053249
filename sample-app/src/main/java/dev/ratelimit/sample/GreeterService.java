package dev.ratelimit.sample;

import com.google.protobuf.StringValue;
import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;

import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/**
 * A gRPC service without generated code.
 */
@Component
@Profile("grpc")
class GreeterService implements BindableService {

	private static final String NAME = "demo.Greeter";

	static final MethodDescriptor<StringValue, StringValue> HELLO = MethodDescriptor
		.<StringValue, StringValue>newBuilder()
		.setType(MethodType.UNARY)
		.setFullMethodName(MethodDescriptor.generateFullMethodName(NAME, "Hello"))
		.setRequestMarshaller(ProtoUtils.marshaller(StringValue.getDefaultInstance()))
		.setResponseMarshaller(ProtoUtils.marshaller(StringValue.getDefaultInstance()))
		.build();

	@Override
	public ServerServiceDefinition bindService() {
		return ServerServiceDefinition.builder(NAME).addMethod(HELLO, ServerCalls.asyncUnaryCall(this::hello)).build();
	}

	private void hello(StringValue name, StreamObserver<StringValue> observer) {
		observer.onNext(StringValue.of("Hello, " + name.getValue() + "!"));
		observer.onCompleted();
	}

}
