package com.example.shop;

import com.google.protobuf.StringValue;
import io.grpc.BindableService;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.AbstractBlockingStub;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;

/**
 * Replaces the code that protoc generates from the service in the documentation.
 */
public final class OrdersGrpc {

	private static final String NAME = "shop.v1.Orders";

	private static final MethodDescriptor<StringValue, StringValue> PLACE = MethodDescriptor
		.<StringValue, StringValue>newBuilder()
		.setType(MethodType.UNARY)
		.setFullMethodName(MethodDescriptor.generateFullMethodName(NAME, "Place"))
		.setRequestMarshaller(ProtoUtils.marshaller(StringValue.getDefaultInstance()))
		.setResponseMarshaller(ProtoUtils.marshaller(StringValue.getDefaultInstance()))
		.build();

	private OrdersGrpc() {
	}

	/**
	 * Return the method that places an order.
	 * @return its description
	 */
	public static MethodDescriptor<StringValue, StringValue> getPlaceMethod() {
		return PLACE;
	}

	/**
	 * Make a client.
	 * @param channel the channel
	 * @return the client
	 */
	public static OrdersBlockingStub newBlockingStub(Channel channel) {
		return new OrdersBlockingStub(channel, CallOptions.DEFAULT);
	}

	/**
	 * The base of the service.
	 */
	public abstract static class OrdersImplBase implements BindableService {

		/**
		 * Place an order.
		 * @param article the article
		 * @param response receives the number of the order
		 */
		public void place(StringValue article, StreamObserver<StringValue> response) {
			ServerCalls.asyncUnimplementedUnaryCall(PLACE, response);
		}

		@Override
		public final ServerServiceDefinition bindService() {
			return ServerServiceDefinition.builder(NAME)
				.addMethod(PLACE, ServerCalls.asyncUnaryCall(this::place))
				.build();
		}

	}

	/**
	 * The client.
	 */
	public static final class OrdersBlockingStub extends AbstractBlockingStub<OrdersBlockingStub> {

		private OrdersBlockingStub(Channel channel, CallOptions options) {
			super(channel, options);
		}

		@Override
		protected OrdersBlockingStub build(Channel channel, CallOptions options) {
			return new OrdersBlockingStub(channel, options);
		}

		/**
		 * Place an order.
		 * @param article the article
		 * @return the number of the order
		 */
		public StringValue place(StringValue article) {
			return ClientCalls.blockingUnaryCall(getChannel(), PLACE, getCallOptions(), article);
		}

	}

}
