package dev.ratelimit.store;

import java.util.Arrays;

/**
 * Internal: the result of a part of a request.
 *
 * @param result the result
 * @param positions the numbers that the charges of the part have in the whole request;
 * not copied, and must not change
 */
public record AcquireResultPart(AcquireResult result, int[] positions) {

	AcquireResultPart returning(long[] units) {
		return with(this.result.returning(own(units)));
	}

	AcquireResultPart leasing(long[] units) {
		return with(this.result.leasing(own(units)));
	}

	AcquireResultPart withoutLeases() {
		return with(this.result.withoutLeases());
	}

	private AcquireResultPart with(AcquireResult other) {
		return new AcquireResultPart(other, this.positions);
	}

	private long[] own(long[] units) {
		return Arrays.stream(this.positions).mapToLong((position) -> units[position]).toArray();
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
