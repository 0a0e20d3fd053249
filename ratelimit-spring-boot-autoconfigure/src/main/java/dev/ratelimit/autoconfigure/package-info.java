/**
 * Properties, auto-configurations, failure analyzers, hints.
 */
@NullMarked
package dev.ratelimit.autoconfigure;

import org.jspecify.annotations.NullMarked;
