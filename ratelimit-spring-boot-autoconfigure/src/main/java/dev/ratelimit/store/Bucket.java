package dev.ratelimit.store;

import dev.ratelimit.hash.KeyedHash;

/**
 * The identity of a counter: one limit of one rule for one subject. Immutable. Two
 * buckets are equal if they have the same store, family label, and subject. Other data
 * that a store keeps with them is not compared.
 * <p>
 * Experimental: may change in any release.
 *
 * @since 0.1.0
 */
public class Bucket {

	private final BucketFamily family;

	private final String subject;

	private final int hash;

	/**
	 * Create the identity of a bucket.
	 * @param family the limit that the bucket counts
	 * @param subject the subject that the bucket belongs to, in canonical form
	 */
	public Bucket(BucketFamily family, String subject) {
		this.family = family;
		this.subject = subject;
		this.hash = 31 * family.label().hashCode() + KeyedHash.of(subject);
	}

	/**
	 * Return the limit that the bucket counts.
	 * @return the family
	 */
	public final BucketFamily family() {
		return this.family;
	}

	/**
	 * The subject that the bucket belongs to.
	 * @return the subject
	 */
	public final String subject() {
		return this.subject;
	}

	/**
	 * Whether only this instance uses the bucket, while its store does not respond.
	 * @return whether its charges are in no store
	 */
	public boolean isFallback() {
		return false;
	}

	@Override
	public final boolean equals(Object other) {
		return this == other || (other instanceof Bucket that && this.hash == that.hash
				&& this.subject.equals(that.subject) && this.family.label().equals(that.family.label())
				&& this.family.store().equals(that.family.store()));
	}

	@Override
	public final int hashCode() {
		return this.hash;
	}

	@Override
	public final String toString() {
		return this.family.label() + " of " + this.subject;
	}

}
