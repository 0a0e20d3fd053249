package dev.ratelimit.method;

import java.lang.reflect.Method;
import java.util.OptionalInt;
import java.util.stream.IntStream;

import dev.ratelimit.rule.AnnotatedMethod;
import org.jspecify.annotations.Nullable;

import org.springframework.core.BridgeMethodResolver;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;

/**
 * Internal: a method of the class of a bean. Immutable.
 *
 * @param type the class of the bean, without proxies; an interface if the bean is a proxy
 * without a target class
 * @param method the method that calls execute
 */
public record BeanMethod(Class<?> type, Method method) implements AnnotatedMethod {

	private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

	/**
	 * Return the method that a call executes.
	 * @param type the class of the bean
	 * @param called the called method, which may be a bridge or a method of an interface
	 * @return the method that the call executes
	 */
	static BeanMethod ofCall(Class<?> type, Method called) {
		return new BeanMethod(type, BridgeMethodResolver.getMostSpecificMethod(called, type));
	}

	/**
	 * Return the index of the parameter with a name.
	 * @param name the name, which the compiler must have kept ({@code -parameters})
	 * @return its index; empty if it does not exist
	 */
	OptionalInt parameter(String name) {
		@Nullable String[] names = NAMES.getParameterNames(this.method);
		return (names != null)
				? IntStream.range(0, names.length).filter((index) -> name.equals(names[index])).findFirst()
				: OptionalInt.empty();
	}

	@Override
	public String toString() {
		return this.type.getSimpleName() + "." + this.method.getName() + "()";
	}

}
