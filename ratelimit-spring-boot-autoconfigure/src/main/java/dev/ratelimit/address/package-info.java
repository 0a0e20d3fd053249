/**
 * Internal: literals of addresses, networks, and the client address behind proxies. Uses
 * nothing. Entered by the web, the access lists of the gate, and the load guard.
 */
@NullMarked
package dev.ratelimit.address;

import org.jspecify.annotations.NullMarked;
