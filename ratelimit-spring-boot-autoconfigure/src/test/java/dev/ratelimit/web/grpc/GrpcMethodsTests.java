package dev.ratelimit.web.grpc;

import java.util.stream.Stream;

import com.google.protobuf.StringValue;
import dev.ratelimit.RateLimited;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.web.HandlerKey;
import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests which Java method belongs to a gRPC method. The generator of grpc-java omits
 * underscores, and adds one to keywords.
 */
class GrpcMethodsTests {

	@ParameterizedTest
	@CsvSource({ "Import, import_", "Place_order, placeOrder", "List2_All, list2All", "Plain, plain" })
	void javaMethodsHaveTheNamesOfTheGenerator(String name, String java) {
		GrpcMethods methods = new GrpcMethods(() -> Stream.of(new Orders(name)));
		assertThat(methods.find("/shop.v1.Orders/" + name)).get()
			.extracting(HandlerKey::method)
			.satisfies((method) -> assertThat(method.getName()).isEqualTo(java))
			.satisfies((method) -> assertThat(method.getParameterTypes()).contains(StreamObserver.class));
	}

	@Test
	void anAnnotatedMethodThatIsNoGrpcMethodIsAMistake() {
		GrpcMethods methods = new GrpcMethods(() -> Stream.of(new Mistaken()));
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(methods::routes)
			.withMessageContaining("Mistaken.helper");
	}

	/** A service with one method. */
	public static class Orders implements BindableService {

		private final String name;

		Orders(String name) {
			this.name = name;
		}

		@Override
		public ServerServiceDefinition bindService() {
			MethodDescriptor<StringValue, StringValue> method = MethodDescriptor.<StringValue, StringValue>newBuilder()
				.setType(MethodType.UNARY)
				.setFullMethodName(MethodDescriptor.generateFullMethodName("shop.v1.Orders", this.name))
				.setRequestMarshaller(ProtoUtils.marshaller(StringValue.getDefaultInstance()))
				.setResponseMarshaller(ProtoUtils.marshaller(StringValue.getDefaultInstance()))
				.build();
			return ServerServiceDefinition.builder("shop.v1.Orders")
				.addMethod(method, ServerCalls.asyncUnaryCall(this::plain))
				.build();
		}

		public void import_(StringValue order, StreamObserver<StringValue> response) {
			plain(order, response);
		}

		public void placeOrder(StringValue order, StreamObserver<StringValue> response) {
			plain(order, response);
		}

		public void list2All(StringValue order, StreamObserver<StringValue> response) {
			plain(order, response);
		}

		public void plain(StringValue order, StreamObserver<StringValue> response) {
			response.onNext(order);
			response.onCompleted();
		}

		public String plain(String order) {
			return order;
		}

	}

	/** A service with a limit on a method that no client calls. */
	public static class Mistaken extends Orders {

		Mistaken() {
			super("Plain");
		}

		@RateLimited("1/min")
		public void helper() {
			throw new UnsupportedOperationException();
		}

	}

}
