package dev.ratelimit.web.reactive;

import java.util.Optional;

import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.Connection;

import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.util.ClassUtils;

/**
 * The threads on which requests continue after a wait for the store: the event loop of
 * the connection, as without a wait. Another thread would only pass the request to the
 * event loop.
 */
final class RequestThreads {

	private static final boolean NETTY = ClassUtils.isPresent("reactor.netty.Connection",
			RequestThreads.class.getClassLoader());

	private RequestThreads() {
	}

	/**
	 * Return the threads of a request.
	 * @param request the request
	 * @return its event loop; the parallel scheduler if there is no event loop, or if the
	 * connection is closed
	 */
	static Scheduler of(ServerHttpRequest request) {
		return loop(request).orElseGet(Schedulers::parallel);
	}

	/**
	 * Respond in a separate task on the event loop. Reactor Netty before 1.3.8 can
	 * permanently stop reading a connection if a response completes while its request is
	 * still being read.
	 * @param request the request
	 * @param response writes the response
	 * @return the same response; after the read, if there is an event loop
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
				// The client has disconnected, and the channel is no longer registered
				// with the event loop.
				return Optional.empty();
			}
		}

	}

}
