package dev.ratelimit.base;

/**
 * Internal: a bean with state in the memory of an instance, which is reset between the
 * tests of an application that share a context.
 */
public interface Resettable {

	/**
	 * Forget the state, as if the bean was new.
	 */
	void reset();

}
