package dev.ratelimit.autoconfigure;

/**
 * Internal: the number of instances that share the limits.
 */
@FunctionalInterface
public interface InstanceCount {

	int get();

}
