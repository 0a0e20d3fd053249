/**
 * Internal: an HTTP request at the gate, and what is read from it.
 */
@NullMarked
package dev.ratelimit.web.request;

import org.jspecify.annotations.NullMarked;
