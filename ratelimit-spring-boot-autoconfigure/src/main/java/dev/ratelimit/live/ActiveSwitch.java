package dev.ratelimit.live;

/**
 * Internal: a switch that has not ended. Immutable.
 *
 * @param change the switch
 * @param instanceOnly whether it is for this instance alone
 */
public record ActiveSwitch(RuleSwitch change, boolean instanceOnly) {
}
