/**
 * Addresses: strict literals, networks, and which address is the client's behind proxies.
 */
@NullMarked
package dev.ratelimit.address;

import org.jspecify.annotations.NullMarked;
