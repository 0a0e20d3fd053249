/**
 * Internal: decisions and rules over HTTP, for services without this library.
 */
@NullMarked
package dev.ratelimit.api;

import org.jspecify.annotations.NullMarked;
