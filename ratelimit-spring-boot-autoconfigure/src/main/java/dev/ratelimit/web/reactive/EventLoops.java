package dev.ratelimit.web.reactive;

import io.netty.channel.EventLoop;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.server.HttpServerRequest;

import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.util.ClassUtils;

/**
 * Where a request goes on once it is decided: on the thread that serves its connection,
 * where it would be without a limit. Reactor Netty (1.3.7) can leave a connection unread
 * for good when one response is written by another thread and the next one is not.
 */
final class EventLoops {

	private static final boolean NETTY = ClassUtils.isPresent("reactor.netty.http.server.HttpServerRequest",
			EventLoops.class.getClassLoader());

	private EventLoops() {
	}

	/**
	 * Where to go on with a request.
	 * @param request the request
	 * @return its connection's event loop, or, on other servers, any thread but the
	 * store's
	 */
	static Scheduler of(ServerHttpRequest request) {
		return (NETTY) ? Netty.loop(request) : Schedulers.parallel();
	}

	/** Apart, so that its classes need not be there. */
	private static final class Netty {

		static Scheduler loop(ServerHttpRequest request) {
			if (nativeRequest(request) instanceof HttpServerRequest known) {
				EventLoop[] loop = new EventLoop[1];
				known.withConnection((connection) -> loop[0] = connection.channel().eventLoop());
				return Schedulers.fromExecutor(loop[0]);
			}
			return Schedulers.parallel();
		}

		// A mock has none, and says so by an exception.
		private static @Nullable Object nativeRequest(ServerHttpRequest request) {
			try {
				return ServerHttpRequestDecorator.getNativeRequest(request);
			}
			catch (IllegalStateException | IllegalArgumentException ex) {
				return null;
			}
		}

	}

}
