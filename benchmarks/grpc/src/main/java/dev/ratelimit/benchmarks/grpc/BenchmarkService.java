package dev.ratelimit.benchmarks.grpc;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;

import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCalls;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.stereotype.Component;

/**
 * The gRPC service of the benchmark: two methods with bytes as messages. {@code Echo}
 * always returns the same message. {@code Counts} returns two numbers as text: the number
 * of decisions that the meters have counted, and the number of those decisions that were
 * not allowed.
 */
@Component
class BenchmarkService implements BindableService {

	private static final String NAME = "bench.Service";

	private static final byte[] ANSWER = new byte[32];

	private final MeterRegistry registry;

	BenchmarkService(MeterRegistry registry) {
		this.registry = registry;
	}

	@Override
	public ServerServiceDefinition bindService() {
		return ServerServiceDefinition.builder(NAME)
			.addMethod(method("Echo", (message) -> ANSWER))
			.addMethod(method("Counts", (message) -> counts().getBytes(StandardCharsets.US_ASCII)))
			.build();
	}

	private static ServerMethodDefinition<byte[], byte[]> method(String name, UnaryOperator<byte[]> answer) {
		MethodDescriptor<byte[], byte[]> descriptor = MethodDescriptor.<byte[], byte[]>newBuilder()
			.setType(MethodType.UNARY)
			.setFullMethodName(MethodDescriptor.generateFullMethodName(NAME, name))
			.setRequestMarshaller(Bytes.MARSHALLER)
			.setResponseMarshaller(Bytes.MARSHALLER)
			.build();
		return ServerMethodDefinition.create(descriptor, ServerCalls.asyncUnaryCall((message, observer) -> {
			observer.onNext(answer.apply(message));
			observer.onCompleted();
		}));
	}

	private String counts() {
		double all = 0;
		double rejected = 0;
		for (FunctionCounter counter : this.registry.find("ratelimit.decisions").functionCounters()) {
			all += counter.count();
			rejected += ("allowed".equals(counter.getId().getTag("outcome"))) ? 0 : counter.count();
		}
		return (long) all + " " + (long) rejected;
	}

	/**
	 * Reads and writes messages as bytes, without parsing them.
	 */
	private enum Bytes implements Marshaller<byte[]> {

		MARSHALLER;

		@Override
		public InputStream stream(byte[] message) {
			return new ByteArrayInputStream(message);
		}

		@Override
		public byte[] parse(InputStream stream) {
			try {
				return stream.readAllBytes();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

}
