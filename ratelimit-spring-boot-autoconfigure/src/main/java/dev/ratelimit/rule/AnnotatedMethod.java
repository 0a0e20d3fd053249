package dev.ratelimit.rule;

import java.lang.reflect.Method;

/**
 * Internal: a method that annotations may limit, as a method of a class: the same method
 * inherited by two classes is two. Implementations are immutable, with equality by both.
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
