package dev.ratelimit.doctor;

import java.util.OptionalLong;

/**
 * A finding of the doctor. Contains no client. Immutable.
 *
 * @param code the code of the finding
 * @param culprit the affected property, rule, or component
 * @param detail the observation, as a sentence
 * @param count the number of observations, if they are counted
 * @since 0.1.0
 */
public record Finding(FindingCode code, String culprit, String detail, OptionalLong count) {

	/**
	 * A finding without a count.
	 * @param code the code of the finding
	 * @param culprit the affected property, rule, or component
	 * @param detail the observation, as a sentence
	 */
	public Finding(FindingCode code, String culprit, String detail) {
		this(code, culprit, detail, OptionalLong.empty());
	}

	/**
	 * A finding with a count.
	 * @param code the code of the finding
	 * @param culprit the affected property, rule, or component
	 * @param detail the observation, as a sentence
	 * @param count the number of observations
	 * @return the finding
	 */
	public static Finding counted(FindingCode code, String culprit, String detail, long count) {
		return new Finding(code, culprit, detail, OptionalLong.of(count));
	}

	/**
	 * The identity of the finding, regardless of its count.
	 * @return code and culprit
	 */
	String identity() {
		return this.code.id() + " " + this.culprit;
	}

}
