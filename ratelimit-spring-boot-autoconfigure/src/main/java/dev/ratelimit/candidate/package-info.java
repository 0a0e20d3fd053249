/**
 * Internal: candidates, which are documents of rules that are compared with the active
 * ones and never decide. The path of decisions knows them as
 * {@link dev.ratelimit.engine.CandidateTrial}.
 */
@NullMarked
package dev.ratelimit.candidate;

import org.jspecify.annotations.NullMarked;
