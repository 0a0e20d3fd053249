/**
 * Internal: documents of rules, switches, and the list of instances in Redis. May use
 * live rules and the connection to Redis. Entered through
 * {@link dev.ratelimit.live.RuleSource}, {@link dev.ratelimit.live.SwitchStore}, and
 * {@link dev.ratelimit.live.InstanceBoard}.
 */
@NullMarked
package dev.ratelimit.live.redis;

import org.jspecify.annotations.NullMarked;
