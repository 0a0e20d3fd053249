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
 * Internal: a method of a bean's class. Immutable.
 *
 * @param type the bean's class, without proxies; an interface where there is nothing else
 * behind the proxy
 * @param method the method that is run in the end
 */
public record BeanMethod(Class<?> type, Method method) implements AnnotatedMethod {

	private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

	/**
	 * The method that a call reaches.
	 * @param type the bean's class
	 * @param called the method that is called, maybe one of an interface or a bridge
	 * @return the method that is run
	 */
	static BeanMethod ofCall(Class<?> type, Method called) {
		return new BeanMethod(type, BridgeMethodResolver.getMostSpecificMethod(called, type));
	}

	/**
	 * The parameter with a name.
	 * @param name the name, which the compiler must have kept ({@code -parameters})
	 * @return its index, if there is one
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
