package dev.ratelimit.web;

import java.util.concurrent.CompletableFuture;

import dev.ratelimit.gate.RequestProgress;

/**
 * Internal: the step of a request whose form is read after all other rules have allowed
 * it.
 */
@FunctionalInterface
public interface FormStep {

	/**
	 * Read the form, and evaluate the rules that require it.
	 * @param progress the progress after the other rules of the phase
	 * @return the new progress
	 */
	CompletableFuture<RequestProgress> enter(RequestProgress progress);

}
