package dev.ratelimit.web;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

import dev.ratelimit.rule.AnnotatedMethod;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.web.method.HandlerMethod;

/**
 * Internal: the identity of a handler method. Immutable.
 *
 * @param type the controller's class, without proxies
 * @param method the method
 */
public record HandlerKey(Class<?> type, Method method) implements AnnotatedMethod {

	/**
	 * The identity of a handler method.
	 * @param handler the handler method
	 * @return its identity
	 */
	public static HandlerKey of(HandlerMethod handler) {
		return new HandlerKey(targetType(handler), handler.getMethod());
	}

	// A proxy of interfaces hides the class. The mapping contains the proxy or the class,
	// depending on whether the bean was created before the mapping.
	private static Class<?> targetType(HandlerMethod handler) {
		Class<?> type = handler.getBeanType();
		return (type.isInterface() || Proxy.isProxyClass(type))
				? AopProxyUtils.ultimateTargetClass(handler.createWithResolvedBean().getBean()) : type;
	}

	@Override
	public String toString() {
		return this.type.getSimpleName() + "." + this.method.getName() + "()";
	}

}
