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
	 * @param progress how far the request has come by the other rules of the phase
	 * @return how far it is now
	 */
	CompletableFuture<RequestProgress> enter(RequestProgress progress);

}
