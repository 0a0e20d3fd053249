package dev.ratelimit.store.slot;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

import dev.ratelimit.Outcome;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquireResultPart;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.CombinedResult;
import dev.ratelimit.store.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * What the parts of a request came to, and what follows for the whole. Filled by several
 * threads, each part by one, and read when all are done.
 */
final class CompositeResults {

	private final List<SlotPart> parts;

	private final @Nullable AcquireResult[] results;

	private final @Nullable Throwable[] failures;

	CompositeResults(List<SlotPart> parts) {
		this.parts = parts;
		this.results = new AcquireResult[parts.size()];
		this.failures = new Throwable[parts.size()];
	}

	void note(int part, @Nullable AcquireResult result, @Nullable Throwable failure) {
		this.results[part] = result;
		this.failures[part] = failure;
	}

	boolean admitted() {
		return Arrays.stream(this.results).allMatch((result) -> result != null && result.admitted());
	}

	List<AcquireResult> rejected() {
		return Arrays.stream(this.results).filter(Objects::nonNull).filter((result) -> !result.admitted()).toList();
	}

	// What is to be given back if the whole is not admitted.
	List<AcquireResult> taken() {
		return Arrays.stream(this.results).filter(Objects::nonNull).filter(AcquireResult::changed).toList();
	}

	// What will not pass by itself comes before what may.
	StoreException failure() {
		List<StoreException> found = Arrays.stream(this.failures)
			.filter(Objects::nonNull)
			.map(StoreException::of)
			.toList();
		return found.stream()
			.filter((failure) -> failure.kind().isPermanent())
			.findFirst()
			.orElseGet(() -> found.get(0));
	}

	/**
	 * The result for the whole.
	 * @param whole the request
	 * @param admitted whether it was admitted; if not, what was taken is given back
	 * @return the result
	 */
	AcquireResult result(AcquireRequest whole, boolean admitted) {
		List<AcquireResultPart> parts = new ArrayList<>(this.results.length);
		for (int i = 0; i < this.results.length; i++) {
			AcquireResult result = this.results[i];
			AcquireResult part = (result != null) ? result : skipped(this.parts.get(i).request());
			parts.add(new AcquireResultPart((admitted) ? part : part.withdrawn(), this.parts.get(i).positions()));
		}
		return CombinedResult.of(whole, admitted, replayed(), parts);
	}

	private static AcquireResult skipped(AcquireRequest part) {
		List<Verdict> verdicts = part.charges().stream().map(CompositeResults::skipped).toList();
		return AcquireResult.of(part, true, Source.LOCAL, 0, verdicts);
	}

	private static Verdict skipped(Charge charge) {
		return Verdict.unmeasured(charge.bucket().family().policy(), Outcome.SKIPPED, charge.cost(), 0);
	}

	// A retry that one of the slots did not know has paid there.
	private boolean replayed() {
		List<AcquireResult> marked = Arrays.stream(this.results)
			.filter(Objects::nonNull)
			.filter((result) -> result.request().marker().isPresent())
			.toList();
		return !marked.isEmpty() && marked.stream().allMatch(AcquireResult::replayed);
	}

}
