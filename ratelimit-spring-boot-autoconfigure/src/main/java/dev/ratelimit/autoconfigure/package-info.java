/**
 * Internal: binds the properties of rules and wires the path of decisions. May use that
 * path and the stores, and no capability. Entered by Spring Boot; capabilities use its
 * properties and what it loads rules with.
 */
@NullMarked
package dev.ratelimit.autoconfigure;

import org.jspecify.annotations.NullMarked;
