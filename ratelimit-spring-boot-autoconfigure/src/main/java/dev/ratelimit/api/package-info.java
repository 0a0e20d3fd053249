/**
 * Internal: decisions and edits of rules over HTTP, for services without this library.
 * May use edits of live rules, the web, the gate, and the engine. Entered by the
 * dispatcher of either stack.
 */
@NullMarked
package dev.ratelimit.api;

import org.jspecify.annotations.NullMarked;
