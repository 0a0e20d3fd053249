package dev.ratelimit.base;

import java.util.OptionalLong;

/**
 * A finding of the doctor. Contains no client. Immutable.
 *
 * @param code the kind of the finding
 * @param location the property, rule, or other part with the problem
 * @param detail the observation, as a sentence
 * @param count the number of observations; empty if they were not counted
 * @since 0.1.0
 */
public record Finding(FindingCode code, String location, String detail, OptionalLong count) {

	/**
	 * Create a finding without a count.
	 * @param code the kind of the finding
	 * @param location the property, rule, or other part with the problem
	 * @param detail the observation, as a sentence
	 */
	public Finding(FindingCode code, String location, String detail) {
		this(code, location, detail, OptionalLong.empty());
	}

	/**
	 * Return a finding with a count.
	 * @param code the kind of the finding
	 * @param location the property, rule, or other part with the problem
	 * @param detail the observation, as a sentence
	 * @param count the number of observations
	 * @return the finding
	 */
	public static Finding counted(FindingCode code, String location, String detail, long count) {
		return new Finding(code, location, detail, OptionalLong.of(count));
	}

	/**
	 * Return the identity of the finding, regardless of its detail and count.
	 * @return the code and the location
	 */
	public String identity() {
		return this.code.id() + " " + this.location;
	}

}
