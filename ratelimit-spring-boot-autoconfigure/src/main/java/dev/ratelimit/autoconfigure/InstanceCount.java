package dev.ratelimit.autoconfigure;

/**
 * How many instances share the limits.
 */
@FunctionalInterface
interface InstanceCount {

	int get();

}
