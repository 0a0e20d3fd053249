package dev.ratelimit.envoy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

import com.google.protobuf.UInt64Value;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;

/**
 * Calls the rate limit service as Envoy does, with the messages and the stub of Envoy.
 */
final class EnvoyProbe implements AutoCloseable {

	private final ManagedChannel channel;

	private EnvoyProbe(ManagedChannel channel) {
		this.channel = channel;
	}

	/**
	 * Create a probe of the server of an application.
	 * @param application the application
	 * @return the probe
	 */
	static EnvoyProbe of(ConfigurableApplicationContext application) {
		int port = application.getBean(GrpcServerLifecycle.class).getPort();
		return new EnvoyProbe(NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build());
	}

	/**
	 * Return the channel to the server.
	 * @return the channel
	 */
	ManagedChannel channel() {
		return this.channel;
	}

	/**
	 * Call with one descriptor in the domain {@code edge}.
	 * @param entries the entries, such as {@code user=bob;plan=free}
	 * @return the response
	 */
	RateLimitResponse call(String entries) {
		return call((request) -> request.addDescriptors(descriptor(entries)));
	}

	RateLimitResponse call(Consumer<RateLimitRequest.Builder> request) {
		return call(Duration.ofSeconds(10), request);
	}

	RateLimitResponse call(Duration deadline, Consumer<RateLimitRequest.Builder> request) {
		RateLimitRequest.Builder built = RateLimitRequest.newBuilder().setDomain("edge");
		request.accept(built);
		return call(deadline, built.build());
	}

	RateLimitResponse call(RateLimitRequest request) {
		return call(Duration.ofSeconds(10), request);
	}

	private RateLimitResponse call(Duration deadline, RateLimitRequest request) {
		return RateLimitServiceGrpc.newBlockingStub(this.channel)
			.withDeadlineAfter(deadline.toNanos(), TimeUnit.NANOSECONDS)
			.shouldRateLimit(request);
	}

	/**
	 * Call several times with one descriptor.
	 * @param times the number of calls
	 * @param entries the entries of the descriptor
	 * @return the overall codes
	 */
	List<RateLimitResponse.Code> codes(int times, String entries) {
		return Stream.generate(() -> call(entries).getOverallCode()).limit(times).toList();
	}

	static RateLimitDescriptor descriptor(String entries) {
		RateLimitDescriptor.Builder descriptor = RateLimitDescriptor.newBuilder();
		for (String entry : entries.split(";")) {
			String[] parts = entry.split("=", 2);
			descriptor.addEntries(RateLimitDescriptor.Entry.newBuilder()
				.setKey(parts[0])
				.setValue((parts.length > 1) ? parts[1] : ""));
		}
		return descriptor.build();
	}

	static RateLimitDescriptor descriptor(String entries, long hits) {
		return descriptor(entries).toBuilder().setHitsAddend(UInt64Value.of(hits)).build();
	}

	@Override
	public void close() {
		this.channel.shutdownNow();
	}

}
