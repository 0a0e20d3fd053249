package dev.ratelimit.load;

/**
 * The bounds of an adaptive limit.
 *
 * @param min the lowest limit, at least 1
 * @param initial the first limit
 * @param max the highest limit
 */
record LimitRange(int min, int initial, int max) {

	/** The default range. */
	static final LimitRange DEFAULT = new LimitRange(10, 20, 1000);

	/**
	 * Check the order of the numbers.
	 * @throws IllegalArgumentException if the numbers are not in order
	 */
	LimitRange {
		if (min < 1 || initial < min || max < initial) {
			throw new IllegalArgumentException("'min' must be at least 1, 'initial' at least 'min', and 'max' at least"
					+ " 'initial', but they are " + min + ", " + initial + ", and " + max);
		}
	}

	double within(double limit) {
		return Math.min(Math.max(limit, this.min), this.max);
	}

}
