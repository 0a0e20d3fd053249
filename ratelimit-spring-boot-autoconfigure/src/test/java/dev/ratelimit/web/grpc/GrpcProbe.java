package dev.ratelimit.web.grpc;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import com.google.protobuf.StringValue;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;

/**
 * Calls services of an application, usually over the network.
 */
final class GrpcProbe implements AutoCloseable {

	private final ManagedChannel channel;

	GrpcProbe(ConfigurableApplicationContext application) {
		this(network(application).build());
	}

	GrpcProbe(ManagedChannel channel) {
		this.channel = channel;
	}

	/**
	 * Return a channel to an application over the network.
	 * @param application the application
	 * @return the builder of the channel
	 */
	static ManagedChannelBuilder<?> network(ConfigurableApplicationContext application) {
		int port = application.getBean(GrpcServerLifecycle.class).getPort();
		return NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext();
	}

	/**
	 * Begin a call without waiting for its end.
	 * @param method the method
	 * @param text the message
	 * @return the call, which can be cancelled
	 */
	ClientCall<StringValue, StringValue> begin(MethodDescriptor<StringValue, StringValue> method, String text) {
		ClientCall<StringValue, StringValue> call = channel().newCall(method, CallOptions.DEFAULT);
		call.start(new ClientCall.Listener<>() {
		}, new Metadata());
		call.request(2);
		call.sendMessage(StringValue.of(text));
		call.halfClose();
		return call;
	}

	ManagedChannel channel() {
		return this.channel;
	}

	Result call(MethodDescriptor<StringValue, StringValue> method, String argument, String... headers) {
		Metadata sent = new Metadata();
		for (int i = 0; i < headers.length; i += 2) {
			sent.put(Metadata.Key.of(headers[i], Metadata.ASCII_STRING_MARSHALLER), headers[i + 1]);
		}
		AtomicReference<Metadata> head = new AtomicReference<>();
		AtomicReference<Metadata> trailers = new AtomicReference<>();
		Channel watched = ClientInterceptors.intercept(this.channel, MetadataUtils.newAttachHeadersInterceptor(sent),
				MetadataUtils.newCaptureMetadataInterceptor(head, trailers));
		CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(20, TimeUnit.SECONDS);
		try {
			if (method.getType() == MethodDescriptor.MethodType.UNARY) {
				ClientCalls.blockingUnaryCall(watched, method, options, StringValue.of(argument));
			}
			else {
				ClientCalls.blockingServerStreamingCall(watched, method, options, StringValue.of(argument))
					.forEachRemaining((message) -> {
					});
			}
			return new Result(Status.OK, Optional.ofNullable(head.get()), Optional.ofNullable(trailers.get()));
		}
		catch (StatusRuntimeException ex) {
			return new Result(ex.getStatus(), Optional.ofNullable(head.get()),
					Optional.ofNullable(ex.getTrailers()).or(() -> Optional.ofNullable(trailers.get())));
		}
	}

	List<Status.Code> codes(int times, MethodDescriptor<StringValue, StringValue> method, String... headers) {
		return Stream.generate(() -> call(method, "bob", headers).status().getCode()).limit(times).toList();
	}

	@Override
	public void close() {
		this.channel.shutdownNow();
	}

	/**
	 * The result of a call.
	 *
	 * @param status the status
	 * @param headers the metadata before the response
	 * @param trailers the metadata after the response
	 */
	record Result(Status status, Optional<Metadata> headers, Optional<Metadata> trailers) {

		Optional<String> header(String name) {
			return this.headers.flatMap((metadata) -> value(metadata, name));
		}

		Optional<String> trailer(String name) {
			return this.trailers.flatMap((metadata) -> value(metadata, name));
		}

		private static Optional<String> value(Metadata metadata, String name) {
			return Optional.ofNullable(metadata.get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER)));
		}

	}

}
