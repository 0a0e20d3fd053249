/**
 * Internal: literals of addresses, networks, and the client address behind proxies. Uses
 * no other package. Entered by the web, the access lists of the gate, and the load guard.
 */
@NullMarked
package dev.ratelimit.address;

import org.jspecify.annotations.NullMarked;
