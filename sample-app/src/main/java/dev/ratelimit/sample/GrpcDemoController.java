package dev.ratelimit.sample;

import java.util.concurrent.CompletableFuture;

import com.google.protobuf.ByteString;
import com.google.protobuf.StringValue;
import dev.ratelimit.envoy.v3.RateLimitMessages.RateLimitDescriptor;
import dev.ratelimit.envoy.v3.RateLimitMessages.RateLimitRequest;
import dev.ratelimit.envoy.v3.RateLimitMessages.RateLimitResponse;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.annotation.Profile;
import org.springframework.context.event.EventListener;
import org.springframework.grpc.server.lifecycle.GrpcServerStartedEvent;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Calls the gRPC services of this application over the network, like Envoy and like a
 * client.
 */
@RestController
@Profile("grpc")
class GrpcDemoController implements DisposableBean {

	private static final Metadata.Key<String> NAME = Metadata.Key.of("x-name", Metadata.ASCII_STRING_MARSHALLER);

	private static final MethodDescriptor<RateLimitRequest, RateLimitResponse> SHOULD_RATE_LIMIT = MethodDescriptor
		.<RateLimitRequest, RateLimitResponse>newBuilder()
		.setType(MethodType.UNARY)
		.setFullMethodName("envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit")
		.setRequestMarshaller(ProtoUtils.marshaller(RateLimitRequest.getDefaultInstance()))
		.setResponseMarshaller(ProtoUtils.marshaller(RateLimitResponse.getDefaultInstance()))
		.build();

	private final CompletableFuture<ManagedChannel> channel = new CompletableFuture<>();

	@EventListener
	void started(GrpcServerStartedEvent event) {
		this.channel.complete(
				Grpc.newChannelBuilder("127.0.0.1:" + event.getPort(), InsecureChannelCredentials.create()).build());
	}

	@GetMapping("/demo/envoy")
	String envoy(@RequestParam String user) {
		RateLimitDescriptor descriptor = RateLimitDescriptor.newBuilder()
			.addEntries(RateLimitDescriptor.Entry.newBuilder().setKey("user").setValue(ByteString.copyFromUtf8(user)))
			.build();
		RateLimitRequest request = RateLimitRequest.newBuilder().setDomain("edge").addDescriptors(descriptor).build();
		RateLimitResponse response = ClientCalls.blockingUnaryCall(this.channel.join(), SHOULD_RATE_LIMIT,
				CallOptions.DEFAULT, request);
		return response.getOverallCode() + "\n";
	}

	@GetMapping("/demo/greeter")
	String greeter(@RequestParam String name) {
		Metadata metadata = new Metadata();
		metadata.put(NAME, name);
		Channel named = ClientInterceptors.intercept(this.channel.join(),
				MetadataUtils.newAttachHeadersInterceptor(metadata));
		try {
			return ClientCalls.blockingUnaryCall(named, GreeterService.HELLO, CallOptions.DEFAULT, StringValue.of(name))
				.getValue() + "\n";
		}
		catch (StatusRuntimeException ex) {
			return ex.getStatus().getCode() + "\n";
		}
	}

	@Override
	public void destroy() {
		this.channel.thenAccept(ManagedChannel::shutdownNow);
	}

}
