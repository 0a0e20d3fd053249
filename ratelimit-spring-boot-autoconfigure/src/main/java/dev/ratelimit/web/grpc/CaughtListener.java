package dev.ratelimit.web.grpc;

import java.util.function.Consumer;

import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.ServerCall;

/**
 * A listener that passes its calls of the service to a consumer, which catches their
 * exceptions. For the threads of one call.
 *
 * @param <Q> the type of the requests
 */
class CaughtListener<Q> extends SimpleForwardingServerCallListener<Q> {

	private final Consumer<Runnable> catching;

	CaughtListener(ServerCall.Listener<Q> listener, Consumer<Runnable> catching) {
		super(listener);
		this.catching = catching;
	}

	@Override
	public void onMessage(Q message) {
		this.catching.accept(() -> super.onMessage(message));
	}

	@Override
	public void onHalfClose() {
		this.catching.accept(super::onHalfClose);
	}

	@Override
	public void onReady() {
		this.catching.accept(super::onReady);
	}

}
