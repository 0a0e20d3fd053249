package dev.ratelimit;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Combines the reservations of several phases.
 *
 * @param parts one per phase
 */
record CompositeReservation(List<Reservation> parts) implements Reservation {

	@Override
	public CompletionStage<Void> settle(long actual) {
		return all((part) -> part.settle(actual));
	}

	@Override
	public CompletionStage<Void> settle(String ruleId, long actual) {
		return all((part) -> part.settle(ruleId, actual));
	}

	@Override
	public CompletionStage<Void> release() {
		return all(Reservation::release);
	}

	@Override
	public CompletionStage<Void> release(String ruleId) {
		return all((part) -> part.release(ruleId));
	}

	@Override
	public CompletionStage<Void> cancel() {
		return all(Reservation::cancel);
	}

	private CompletionStage<Void> all(Function<Reservation, CompletionStage<Void>> action) {
		return CompletableFuture.allOf(this.parts.stream()
			.map((part) -> action.apply(part).toCompletableFuture())
			.toArray(CompletableFuture[]::new));
	}

}
