package dev.ratelimit.base;

import java.util.OptionalLong;

/**
 * A finding of the doctor. Contains no client. Immutable.
 *
 * @param code what it is
 * @param location the property, rule or thing that it is about
 * @param detail what was seen, as a sentence
 * @param count how often it was seen, if it was counted
 * @since 0.1.0
 */
public record Finding(FindingCode code, String location, String detail, OptionalLong count) {

	/**
	 * A finding that needs no counting.
	 * @param code what it is
	 * @param location the property, rule or thing that it is about
	 * @param detail what was seen, as a sentence
	 */
	public Finding(FindingCode code, String location, String detail) {
		this(code, location, detail, OptionalLong.empty());
	}

	/**
	 * A finding that was counted.
	 * @param code what it is
	 * @param location the property, rule or thing that it is about
	 * @param detail what was seen, as a sentence
	 * @param count how often
	 * @return the finding
	 */
	public static Finding counted(FindingCode code, String location, String detail, long count) {
		return new Finding(code, location, detail, OptionalLong.of(count));
	}

	/**
	 * The identity of the finding, regardless of its count.
	 * @return code and culprit
	 */
	public String identity() {
		return this.code.id() + " " + this.location;
	}

}
