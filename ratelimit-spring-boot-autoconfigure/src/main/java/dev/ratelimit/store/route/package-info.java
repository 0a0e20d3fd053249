/**
 * Internal: the stage that sends each part of a request to the store of its limits. May
 * use the contract of stores. Entered by the stages before it.
 */
@NullMarked
package dev.ratelimit.store.route;

import org.jspecify.annotations.NullMarked;
