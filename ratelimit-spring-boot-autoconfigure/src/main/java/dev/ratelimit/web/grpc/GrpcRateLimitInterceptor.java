package dev.ratelimit.web.grpc;

import java.security.Principal;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import dev.ratelimit.Phase;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.web.RequestGate;
import dev.ratelimit.web.RuleScope;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.core.Ordered;

/**
 * Evaluates the rules of one phase for gRPC calls. A call waits for the store on its own
 * thread, no longer than the deadline. If it was started later on another thread, its
 * handler would have no security context. Thread-safe.
 */
final class GrpcRateLimitInterceptor implements ServerInterceptor, Ordered {

	/**
	 * The order of the early phase: around the authentication of spring-grpc, which has
	 * the order −10.
	 */
	private static final int EARLY = -20;

	private static final int LATE = 10;

	/**
	 * The part of a name that identifies threads of Netty that serve many connections.
	 */
	private static final String EVENT_LOOP = "-worker-ELG-";

	private static final Log logger = LogFactory.getLog(GrpcRateLimitInterceptor.class);

	private static final AtomicBoolean WARNED = new AtomicBoolean();

	private final Phase phase;

	private final GrpcServer server;

	private final RequestGate gate;

	private final GrpcCallWatcher watcher;

	private final Supplier<Optional<Principal>> principal;

	/**
	 * Create an interceptor of one phase.
	 * @param phase early or late
	 * @param server the components that all calls share
	 * @param principal finds the principal of the calling thread, after authentication
	 */
	GrpcRateLimitInterceptor(Phase phase, GrpcServer server, Supplier<Optional<Principal>> principal) {
		this.phase = phase;
		this.server = server;
		this.gate = server.gate();
		this.watcher = new GrpcCallWatcher(server);
		this.principal = principal;
	}

	@Override
	public int getOrder() {
		return (this.phase == Phase.EARLY) ? EARLY : LATE;
	}

	@Override
	public <Q, R> ServerCall.Listener<Q> interceptCall(ServerCall<Q, R> call, Metadata headers,
			ServerCallHandler<Q, R> next) {
		if (GrpcCallWatcher.isExempt(call.getMethodDescriptor().getServiceName())) {
			return next.startCall(call, headers);
		}
		GrpcProgress progress = GrpcProgress.find();
		if (progress == null) {
			// The server was built without the customizers of spring-grpc.
			return this.watcher.interceptCall(call, headers, (same, metadata) -> interceptCall(same, metadata, next));
		}
		if (this.phase == Phase.LATE) {
			return enter(progress, call, headers, next);
		}
		// Required even if no rule applies to the call, because its service may call a
		// limited bean method.
		return new RejectableCall<>(call, headers, progress, this.server)
			.start((same, metadata) -> enter(progress, same, metadata, next));
	}

	private <Q, R> ServerCall.Listener<Q> enter(GrpcProgress state, ServerCall<Q, R> call, Metadata headers,
			ServerCallHandler<Q, R> next) {
		RequestProgress begun = this.gate.begin(state.current());
		state.update(begun);
		if (!this.gate.has(this.phase, begun)) {
			return next.startCall(call, headers);
		}
		warnOfEventLoops();
		GrpcGateRequest view = view(call, headers, begun);
		Optional<RequestProgress> joined = join(view, begun);
		if (joined.isEmpty()) {
			state.setFields(List.of());
			return rejected();
		}
		RequestProgress progress = joined.get();
		if (!progress.allowed()) {
			state.setFields(List.of());
			this.server.rejections().reject(call, view, begun, progress);
			return rejected();
		}
		this.gate.count(!begun.untouched(), progress);
		if (this.gate.isLast(this.phase, progress) && progress.delay().leftNanos() > 0 && !delayed(progress)) {
			state.setFields(List.of());
			// As for HTTP, a call whose client has disconnected keeps its charge.
			if (!Context.current().isCancelled()) {
				progress.cancel();
				this.server.rejections().overcrowded(call, view, begun, progress);
			}
			progress.free();
			return rejected();
		}
		if (progress != begun) {
			state.setFields(this.server.headers().fields(progress));
		}
		state.update(progress);
		return next.startCall(call, headers);
	}

	private GrpcGateRequest view(ServerCall<?, ?> call, Metadata headers, RequestProgress begun) {
		return new GrpcGateRequest(call, headers, (this.phase == Phase.LATE) ? this.principal.get() : Optional.empty(),
				begun, this.server);
	}

	private static <Q> ServerCall.Listener<Q> rejected() {
		return new ServerCall.Listener<>() {
		};
	}

	// Not interruptible, because a later charge of the decision would not be refunded.
	// Empty if the client has disconnected during the wait.
	private Optional<RequestProgress> join(GrpcGateRequest view, RequestProgress begun) {
		try {
			RequestProgress progress = this.gate.enter(RuleScope.of(this.phase), view, begun).join();
			return (progress.waits()) ? await(progress) : Optional.of(progress);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw Status.CANCELLED.withDescription("interrupted while the call waited for its turn")
				.asRuntimeException();
		}
		catch (CompletionException ex) {
			throw (ex.getCause() instanceof RuntimeException cause) ? cause : ex;
		}
	}

	private Optional<RequestProgress> await(RequestProgress waiting) throws InterruptedException {
		try (ClientWatch client = ClientWatch.begin()) {
			return this.server.threads().await(waiting, client.gone());
		}
	}

	private boolean delayed(RequestProgress progress) {
		try (ClientWatch client = ClientWatch.begin()) {
			return this.server.threads().delay(progress, client.gone());
		}
		catch (InterruptedException ex) {
			progress.abandon();
			Thread.currentThread().interrupt();
			throw Status.CANCELLED.withDescription("interrupted while a rate limit delayed the call")
				.asRuntimeException();
		}
	}

	private static void warnOfEventLoops() {
		if (!WARNED.get() && Thread.currentThread().getName().contains(EVENT_LOOP)
				&& WARNED.compareAndSet(false, true)) {
			logger.warn("gRPC calls run on the threads of Netty (directExecutor), which wait for decisions of Redis."
					+ " Use an executor, or rules with 'consistency: leased'.");
		}
	}

	/**
	 * Watches a waiting call for its cancellation by the client, and for its deadline.
	 *
	 * @param context the context of the call
	 * @param gone completed when the client disconnects
	 */
	private record ClientWatch(Context context,
			CompletableFuture<Void> gone) implements Context.CancellationListener, AutoCloseable {

		/**
		 * Watch the client of the call of the calling thread.
		 * @return the watch, which must be closed at the end of the wait
		 */
		static ClientWatch begin() {
			ClientWatch watch = new ClientWatch(Context.current(), new CompletableFuture<>());
			// A direct executor is sufficient, because the listener only wakes the thread
			// of the call.
			watch.context().addListener(watch, Runnable::run);
			return watch;
		}

		@Override
		public void cancelled(Context canceled) {
			this.gone.complete(null);
		}

		@Override
		public void close() {
			this.context.removeListener(this);
		}

	}

}
