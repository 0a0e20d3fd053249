package dev.ratelimit.store;

import java.util.Arrays;

/**
 * The answer to a part of a demand.
 * <p>
 * Experimental: may change in any release.
 *
 * @param answer the answer
 * @param positions where the charges of the part stand in the whole; not copied, and
 * nobody changes it
 * @since 0.1.0
 */
public record AcquireResultPart(AcquireResult answer, int[] positions) {

	AcquireResultPart returning(long[] units) {
		long[] own = Arrays.stream(this.positions).mapToLong((position) -> units[position]).toArray();
		return new AcquireResultPart(this.answer.returning(own), this.positions);
	}

	int positionOf(int charge) {
		for (int i = 0; i < this.positions.length; i++) {
			if (this.positions[i] == charge) {
				return i;
			}
		}
		return -1;
	}

}
