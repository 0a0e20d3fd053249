package dev.ratelimit.store;

/**
 * Finds out whether a store works, by what real demands do. May block, so it runs on a
 * thread of its own.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface StoreCheck {

	/**
	 * Connect if need be, and charge a bucket of nobody's.
	 * @throws StoreException if the store does not work
	 */
	void check();

}
