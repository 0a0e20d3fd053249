package dev.ratelimit.http.matrix;

/**
 * A form object with a number that data binding sets.
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
