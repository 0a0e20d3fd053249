package dev.ratelimit.web.grpc;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.ratelimit.gate.Ending;
import dev.ratelimit.gate.Endings;
import dev.ratelimit.web.response.HeaderVisibility;
import dev.ratelimit.web.response.RateLimitFields;
import io.grpc.Context;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;

import org.springframework.util.ClassUtils;

/**
 * A watched call: its response has the rate limit fields, and its end is reported once,
 * for any cause. It is closed after the maximum time that it may hold a slot.
 * Thread-safe, so that it can be closed while the service responds.
 *
 * @param <Q> the type of its requests
 * @param <R> the type of its responses
 */
final class LimitedCall<Q, R> extends SimpleForwardingServerCall<Q, R> {

	private static final int UNAUTHORIZED = 401;

	private static final int FORBIDDEN = 403;

	private static final int SERVER_ERROR = 500;

	private static final boolean SECURITY = ClassUtils
		.isPresent("org.springframework.security.core.AuthenticationException", LimitedCall.class.getClassLoader());

	private final GrpcProgress progress;

	private final Metadata request;

	private final GrpcServer server;

	/**
	 * Canceled immediately when the client disconnects, before the listener is notified.
	 */
	private final Context context = Context.current();

	private final AtomicBoolean ended = new AtomicBoolean();

	/** Completed when the call ends. */
	private final CompletableFuture<Void> expired = new CompletableFuture<>();

	private boolean headersSent;

	private volatile boolean cut;

	LimitedCall(ServerCall<Q, R> call, Metadata request, GrpcProgress progress, GrpcServer server) {
		super(call);
		this.progress = progress;
		this.request = request;
		this.server = server;
	}

	@Override
	public synchronized void sendHeaders(Metadata headers) {
		if (this.cut) {
			return;
		}
		write(headers, Status.OK);
		this.headersSent = true;
		super.sendHeaders(headers);
		if (!getMethodDescriptor().getType().serverSendsOneMessage()) {
			this.progress.current().endings().startStreaming();
		}
	}

	@Override
	public synchronized void sendMessage(R message) {
		if (!this.cut) {
			super.sendMessage(message);
		}
	}

	@Override
	public boolean isCancelled() {
		return this.cut || super.isCancelled();
	}

	@Override
	public synchronized void close(Status status, Metadata trailers) {
		if (this.cut) {
			return;
		}
		if (!this.headersSent) {
			write(trailers, status);
		}
		end(GrpcCodes.http(status));
		super.close(status, trailers);
	}

	private synchronized void cut() {
		if (!this.ended.get()) {
			close(Status.UNAVAILABLE.withDescription("the call took longer than it may hold a slot"), new Metadata());
			this.cut = true;
		}
	}

	private void write(Metadata metadata, Status status) {
		if (this.progress.fields().isEmpty()) {
			return;
		}
		HeaderVisibility visibility = this.server.headers().visibility();
		RateLimitFields fields = new RateLimitFields(visibility,
				new ResponseMetadata(metadata, this.request, GrpcCodes.http(status)));
		fields.setFields(this.progress.fields());
		fields.write();
	}

	// If a service occupies the thread of its call, it responds before gRPC can report
	// that the client has disconnected. The client then receives no response.
	private void end(int status) {
		if (isCancelled() || this.context.isCancelled()) {
			withoutResponse();
		}
		else if (this.ended.compareAndSet(false, true)) {
			this.expired.complete(null);
			this.progress.current().free(status);
			this.progress.current().settle(status);
		}
	}

	// Without a response of the service, charges are not corrected, because clients
	// control the messages and the time of a disconnect.
	private void withoutResponse() {
		if (this.ended.compareAndSet(false, true)) {
			this.expired.complete(null);
			this.progress.current().free(Ending.NO_STATUS);
		}
	}

	/**
	 * Report an exception of an inner interceptor or the service. The exception is thrown
	 * to outer interceptors.
	 * @param failure the exception
	 */
	void failed(Throwable failure) {
		end(status(failure));
	}

	private static int status(Throwable failure) {
		if (failure instanceof StatusRuntimeException known) {
			return GrpcCodes.http(known.getStatus());
		}
		if (failure.getCause() instanceof StatusException known) {
			return GrpcCodes.http(known.getStatus());
		}
		return (SECURITY) ? SecurityFailures.status(failure) : SERVER_ERROR;
	}

	/**
	 * Watch the messages of the client.
	 * @param listener receives the messages
	 * @return the listener for the server
	 */
	ServerCall.Listener<Q> listener(ServerCall.Listener<Q> listener) {
		Duration bound = this.progress.current().endings().maxRequestHold();
		if (!bound.equals(Endings.UNLIMITED) && !this.ended.get()) {
			this.expired.orTimeout(bound.toNanos(), TimeUnit.NANOSECONDS).exceptionallyAsync((late) -> {
				cut();
				return null;
			});
		}
		return new CaughtListener<>(listener, this::run) {

			@Override
			public void onCancel() {
				withoutResponse();
				super.onCancel();
			}

			// gRPC closes a call with an unreadable message without the service.
			@Override
			public void onComplete() {
				withoutResponse();
				super.onComplete();
			}

		};
	}

	private void run(Runnable work) {
		try {
			work.run();
		}
		catch (RuntimeException | Error ex) {
			failed(ex);
			throw ex;
		}
	}

	/**
	 * Loaded only if Spring Security is on the class path.
	 */
	private static final class SecurityFailures {

		static int status(Throwable failure) {
			if (failure instanceof org.springframework.security.core.AuthenticationException) {
				return UNAUTHORIZED;
			}
			return (failure instanceof org.springframework.security.access.AccessDeniedException) ? FORBIDDEN
					: SERVER_ERROR;
		}

	}

}
