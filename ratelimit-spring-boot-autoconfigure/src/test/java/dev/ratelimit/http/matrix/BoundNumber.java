package dev.ratelimit.http.matrix;

/**
 * Has a number that is set by data binding.
 */
public class BoundNumber {

	private long n = 1;

	public long getN() {
		return this.n;
	}

	public void setN(long n) {
		this.n = n;
	}

}
