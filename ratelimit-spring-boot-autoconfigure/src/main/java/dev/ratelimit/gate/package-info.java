/**
 * Internal: the gate that all fronts share: what a call is charged under the rules that
 * match it. Knows neither HTTP nor Spring.
 */
@NullMarked
package dev.ratelimit.gate;

import org.jspecify.annotations.NullMarked;
