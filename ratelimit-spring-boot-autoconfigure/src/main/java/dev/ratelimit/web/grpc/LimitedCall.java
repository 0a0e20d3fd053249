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
 * A call that is watched: its response has the rate limit fields, and its end is reported
 * once, whatever ends it. It is closed after the longest time that it may hold a slot.
 * Thread-safe, so that this can happen while the service responds.
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
	 * Cancelled at once when the client is gone, long before the listener hears of it.
	 */
	private final Context context = Context.current();

	private final AtomicBoolean ended = new AtomicBoolean();

	/** Completed when the call ends. */
	private final CompletableFuture<Void> longest = new CompletableFuture<>();

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
		HeaderVisibility visibility = this.server.writer().visibility();
		RateLimitFields fields = new RateLimitFields(visibility,
				new ResponseMetadata(metadata, this.request, GrpcCodes.http(status)));
		fields.setFields(this.progress.fields());
		fields.write();
	}

	// A service that occupies the thread of its call responds before gRPC can report that
	// the client is gone. The client has no response then, whatever the service sends.
	private void end(int status) {
		if (isCancelled() || this.context.isCancelled()) {
			withoutResponse();
		}
		else if (this.ended.compareAndSet(false, true)) {
			this.longest.complete(null);
			this.progress.current().free(status);
			this.progress.current().settle(status);
		}
	}

	// Without a response of the service, no charge is corrected: clients choose what to
	// send, and when to go away.
	private void withoutResponse() {
		if (this.ended.compareAndSet(false, true)) {
			this.longest.complete(null);
			this.progress.current().free(Ending.NO_STATUS);
		}
	}

	/**
	 * Something behind has thrown an exception, which goes on to others.
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
	 * Watch what the client sends.
	 * @param listener receives it
	 * @return the listener to give to the server
	 */
	ServerCall.Listener<Q> listener(ServerCall.Listener<Q> listener) {
		Duration bound = this.progress.current().endings().longestRequest();
		if (!bound.equals(Endings.UNLIMITED) && !this.ended.get()) {
			this.longest.orTimeout(bound.toNanos(), TimeUnit.NANOSECONDS).exceptionallyAsync((late) -> {
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

			// gRPC itself closes a call with a message that cannot be read.
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
	 * Loaded only where Spring Security is on the class path.
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
