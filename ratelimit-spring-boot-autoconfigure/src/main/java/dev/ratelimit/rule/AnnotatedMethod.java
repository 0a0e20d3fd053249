package dev.ratelimit.rule;

import java.lang.reflect.Method;

/**
 * Internal: a method of a class that annotations may limit. If two classes inherit the
 * same method, there are two instances. Implementations are immutable and compare both
 * the class and the method.
 */
public interface AnnotatedMethod {

	/**
	 * The class that the method is called on.
	 * @return the class, without proxies
	 */
	Class<?> type();

	/**
	 * The method.
	 * @return the method, of the class or of one of its super types
	 */
	Method method();

}
