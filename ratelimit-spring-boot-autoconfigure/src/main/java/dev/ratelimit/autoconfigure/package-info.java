/**
 * Internal: binds the properties of rules and wires the path of decisions. May use that
 * path and the stores, and no capability. Entered by Spring Boot; capabilities use its
 * properties and its rule loader.
 */
@NullMarked
package dev.ratelimit.autoconfigure;

import org.jspecify.annotations.NullMarked;
