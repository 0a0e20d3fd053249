package dev.ratelimit.web.grpc;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.RateLimitExceededException;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.web.GateRequest;
import dev.ratelimit.web.response.RejectedCall;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;

/**
 * A call whose service may call a limited method that rejects it. The service then throws
 * the exception, or responds with it, and the call is closed like a call that a rule for
 * it rejects. For the threads of one call.
 *
 * @param <Q> the type of its requests
 * @param <R> the type of its responses
 */
final class RejectableCall<Q, R> extends SimpleForwardingServerCall<Q, R> {

	private final GrpcProgress progress;

	private final Metadata request;

	private final GrpcServer server;

	RejectableCall(ServerCall<Q, R> call, Metadata request, GrpcProgress progress, GrpcServer server) {
		super(call);
		this.progress = progress;
		this.request = request;
		this.server = server;
	}

	@Override
	public void close(Status status, Metadata trailers) {
		Optional<RateLimitExceededException> rejection = Optional.ofNullable(status.getCause())
			.flatMap(RejectedCall::in);
		rejection.ifPresentOrElse(this::reject, () -> super.close(status, trailers));
	}

	/**
	 * Start the call.
	 * @param handler starts the inner interceptors and the service
	 * @return the listener for the messages of the client
	 */
	ServerCall.Listener<Q> start(ServerCallHandler<Q, R> handler) {
		try {
			return new CaughtListener<>(handler.startCall(this, this.request), this::run);
		}
		catch (RuntimeException ex) {
			rejected(ex);
			return new ServerCall.Listener<>() {
			};
		}
	}

	private void run(Runnable work) {
		try {
			work.run();
		}
		catch (RuntimeException ex) {
			rejected(ex);
		}
	}

	private void rejected(RuntimeException failure) {
		reject(RejectedCall.in(failure).orElseThrow(() -> failure));
	}

	private void reject(RateLimitExceededException rejection) {
		this.progress.setFields(List.of());
		RequestProgress current = this.progress.current();
		GateRequest view = new GrpcGateRequest(delegate(), this.request, Optional.empty(), current, this.server);
		this.server.rejections().reject(delegate(), view, current, rejection.decision());
	}

}
