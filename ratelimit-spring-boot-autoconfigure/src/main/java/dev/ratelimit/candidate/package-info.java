/**
 * Internal: candidates, which are documents of rules that are compared with the active
 * ones and never decide. May use live rules, the engine, and Redis. Entered by the fronts
 * through {@link dev.ratelimit.engine.CandidateTrial}.
 */
@NullMarked
package dev.ratelimit.candidate;

import org.jspecify.annotations.NullMarked;
