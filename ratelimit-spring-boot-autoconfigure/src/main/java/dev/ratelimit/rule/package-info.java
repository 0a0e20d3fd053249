/**
 * Rules as data: definitions, their text forms, and the checks of a whole set. May use
 * algorithms. Entered by all components that read rules.
 */
@NullMarked
package dev.ratelimit.rule;

import org.jspecify.annotations.NullMarked;
