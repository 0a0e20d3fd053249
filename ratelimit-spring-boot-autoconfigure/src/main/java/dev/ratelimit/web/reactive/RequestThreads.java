package dev.ratelimit.web.reactive;

import java.util.Optional;

import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.Connection;

import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.util.ClassUtils;

/**
 * Where a request goes on that had to wait for the store: on the event loop that reads
 * and writes its connection, as it would have without waiting. A thread in between would
 * only hand it on.
 */
final class RequestThreads {

	private static final boolean NETTY = ClassUtils.isPresent("reactor.netty.Connection",
			RequestThreads.class.getClassLoader());

	private RequestThreads() {
	}

	/**
	 * The threads of a request.
	 * @param request the request
	 * @return its event loop, or threads for what does not block where there is none, or
	 * none any more
	 */
	static Scheduler of(ServerHttpRequest request) {
		return loop(request).orElseGet(Schedulers::parallel);
	}

	/**
	 * Respond in a task of its own on the event loop. Reactor Netty before 1.3.8 may stop
	 * reading a connection for good if a response completes while its request is still
	 * being read.
	 * @param request the request
	 * @param response writes the response
	 * @return the same, after the read if there is an event loop
	 */
	static Mono<Void> afterRead(ServerHttpRequest request, Mono<Void> response) {
		return loop(request).map(response::subscribeOn).orElse(response);
	}

	private static Optional<Scheduler> loop(ServerHttpRequest request) {
		return (NETTY) ? EventLoops.of(NativeRequests.of(request)) : Optional.empty();
	}

	/**
	 * Loaded only where Reactor Netty is on the class path.
	 */
	private static final class EventLoops {

		static Optional<Scheduler> of(Object request) {
			try {
				return (request instanceof Connection connection)
						? Optional.of(Schedulers.fromExecutor(connection.channel().eventLoop()::execute))
						: Optional.empty();
			}
			catch (IllegalStateException ex) {
				// The client has gone away, and the event loop has let go of its channel.
				return Optional.empty();
			}
		}

	}

}
