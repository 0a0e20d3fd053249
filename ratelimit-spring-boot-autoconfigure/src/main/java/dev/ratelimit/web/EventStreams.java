package dev.ratelimit.web;

import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.core.ResolvableType;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.method.HandlerMethod;

/**
 * Internal: finds out whether a handler declares its response a stream of events. The
 * content type is not sufficient: if a client accepts events, each handler method that
 * returns several values sends events, even if the response is short.
 */
public final class EventStreams {

	/**
	 * The maximum depth of the search of generic types, which can be recursive.
	 */
	private static final int GENERICS = 4;

	private EventStreams() {
	}

	/**
	 * Return whether the handler of a response with events declares it a stream.
	 * @param contentType the content type of the response; null if it has none yet
	 * @param handler the handler; null if none is known
	 * @param producible the media types that the handler declares; null if there are none
	 * @param types types of return values, besides {@link ServerSentEvent}, that are
	 * streams of events
	 * @return whether the handler, not the client, has selected events
	 */
	public static boolean isDeclared(@Nullable String contentType, @Nullable Object handler,
			@Nullable Object producible, Class<?>... types) {
		if (contentType == null || !contentType.startsWith(MediaType.TEXT_EVENT_STREAM_VALUE)) {
			return false;
		}
		// A handler that is not a handler method sets the content type explicitly.
		return !(handler instanceof HandlerMethod method) || hasEvents(producible)
				|| mentions(ResolvableType.forMethodParameter(method.getReturnType()), List.of(types), GENERICS);
	}

	/**
	 * Return whether a handler method declares a stream of events that has not begun yet.
	 * @param handler the handler; null if none is known
	 * @param producible the media types that the handler declares; null if there are none
	 * @param types types of return values, besides {@link ServerSentEvent}, that are
	 * always streams of events
	 * @return whether the method has selected events
	 */
	public static boolean isExpected(@Nullable Object handler, @Nullable Object producible, Class<?>... types) {
		return handler instanceof HandlerMethod method && (isEvents(producible)
				|| mentions(ResolvableType.forMethodParameter(method.getReturnType()), List.of(types), GENERICS));
	}

	// With several media types, the client selects one.
	private static boolean isEvents(@Nullable Object producible) {
		return producible instanceof Collection<?> all && all.size() == 1 && hasEvents(producible);
	}

	private static boolean hasEvents(@Nullable Object producible) {
		return producible instanceof Collection<?> all && all.stream()
			.anyMatch((type) -> type instanceof MediaType media
					&& media.equalsTypeAndSubtype(MediaType.TEXT_EVENT_STREAM));
	}

	private static boolean mentions(ResolvableType type, List<Class<?>> types, int depth) {
		if (ServerSentEvent.class.isAssignableFrom(type.toClass())
				|| types.stream().anyMatch((one) -> one.isAssignableFrom(type.toClass()))) {
			return true;
		}
		for (ResolvableType generic : type.getGenerics()) {
			if (depth > 0 && mentions(generic, types, depth - 1)) {
				return true;
			}
		}
		return false;
	}

}
