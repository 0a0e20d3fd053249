package dev.ratelimit.web;

import java.lang.reflect.Method;

import org.springframework.web.method.HandlerMethod;

/**
 * The identity of a handler method. Immutable.
 *
 * @param type the controller's class, without proxies
 * @param method the method
 * @since 0.1.0
 */
public record HandlerKey(Class<?> type, Method method) {

	/**
	 * The identity of a handler method.
	 * @param handler the handler method
	 * @return its identity
	 */
	public static HandlerKey of(HandlerMethod handler) {
		return new HandlerKey(handler.getBeanType(), handler.getMethod());
	}

	@Override
	public String toString() {
		return this.type.getSimpleName() + "." + this.method.getName() + "()";
	}

}
