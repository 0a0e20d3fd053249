/**
 * What is counted and told of decisions: tallies per rule, the subjects that are rejected
 * most often, and events. All of it follows decisions and changes none.
 */
@NullMarked
package dev.ratelimit.telemetry;

import org.jspecify.annotations.NullMarked;
