package dev.ratelimit.autoconfigure;

/**
 * Internal: how many instances share the limits.
 */
@FunctionalInterface
public interface InstanceCount {

	int get();

}
