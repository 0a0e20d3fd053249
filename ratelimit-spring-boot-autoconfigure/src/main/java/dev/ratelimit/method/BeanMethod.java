package dev.ratelimit.method;

import java.lang.reflect.Method;

import dev.ratelimit.rule.AnnotatedMethod;

import org.springframework.core.BridgeMethodResolver;

/**
 * Internal: a method of a bean's class. Immutable.
 *
 * @param type the bean's class, without proxies; an interface where there is nothing else
 * behind the proxy
 * @param method the method that is run in the end
 */
public record BeanMethod(Class<?> type, Method method) implements AnnotatedMethod {

	/**
	 * The method that a call reaches.
	 * @param type the bean's class
	 * @param called the method that is called, maybe one of an interface or a bridge
	 * @return the method that is run
	 */
	static BeanMethod ofCall(Class<?> type, Method called) {
		return new BeanMethod(type, BridgeMethodResolver.getMostSpecificMethod(called, type));
	}

	@Override
	public String toString() {
		return this.type.getSimpleName() + "." + this.method.getName() + "()";
	}

}
