package dev.ratelimit.web.reactive;

import java.util.Optional;

import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.Connection;

import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.util.ClassUtils;

/**
 * The threads on which requests continue that had to wait for the store: the event loop
 * that reads and writes the connection, as it would be without waiting. Another thread
 * would only hand the request over.
 */
final class RequestThreads {

	private static final boolean NETTY = ClassUtils.isPresent("reactor.netty.Connection",
			RequestThreads.class.getClassLoader());

	private RequestThreads() {
	}

	/**
	 * Return the threads of a request.
	 * @param request the request
	 * @return its event loop; threads for work that does not block if there is no event
	 * loop, or none any more
	 */
	static Scheduler of(ServerHttpRequest request) {
		return loop(request).orElseGet(Schedulers::parallel);
	}

	/**
	 * Respond in a task of its own on the event loop. Reactor Netty before 1.3.8 can stop
	 * reading a connection forever if a response completes while its request is still
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
	 * The event loops. Loaded only if Reactor Netty is on the class path.
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
