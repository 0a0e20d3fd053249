package dev.ratelimit.store.slot;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketSlots;

/**
 * Assigns a slot to each first letter of a subject.
 */
final class LetterSlots implements BucketSlots {

	/** The subjects whose slots were computed. */
	final List<String> workedOut = new ArrayList<>();

	@Override
	public int slotOf(Bucket bucket) {
		this.workedOut.add(bucket.subject());
		return bucket.subject().charAt(0);
	}

	@Override
	public boolean together(Bucket one, Bucket other) {
		return one.subject().equals(other.subject());
	}

}
