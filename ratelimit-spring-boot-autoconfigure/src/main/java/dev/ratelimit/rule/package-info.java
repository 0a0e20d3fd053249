/**
 * Rules as data: definitions, limits' text form, the immutable snapshot in force.
 */
@NullMarked
package dev.ratelimit.rule;

import org.jspecify.annotations.NullMarked;
