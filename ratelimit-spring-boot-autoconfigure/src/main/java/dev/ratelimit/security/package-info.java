/**
 * Internal: what is read from Spring Security: users, authorities, and claims. Works
 * without Spring Security on the class path, and then finds none.
 */
@NullMarked
package dev.ratelimit.security;

import org.jspecify.annotations.NullMarked;
