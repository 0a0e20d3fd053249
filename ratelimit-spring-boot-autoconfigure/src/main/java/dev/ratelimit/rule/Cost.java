package dev.ratelimit.rule;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Internal: the cost of one request: a number, or the place of a number in the request.
 * Immutable.
 *
 * @param kind the source of the number
 * @param argument the name of a header, parameter or bean, empty otherwise
 * @param units the number, if it is fixed; otherwise the cost of a request without a
 * number
 */
public record Cost(Kind kind, String argument, long units) {

	/** One unit. */
	public static final Cost ONE = fixed(1);

	private static final Pattern NUMBER = Pattern.compile("[0-9_]{1,19}");

	public Cost {
		if (units < 1) {
			throw new IllegalArgumentException("the cost must be at least 1");
		}
	}

	/**
	 * Return a fixed cost.
	 * @param units the units, at least 1
	 * @return the cost
	 */
	public static Cost fixed(long units) {
		return new Cost(Kind.FIXED, "", units);
	}

	/**
	 * Read a cost.
	 * @param text the text, such as {@code 5}, {@code header:X-Cost},
	 * {@code content-length}
	 * @return the cost
	 * @throws IllegalArgumentException if the text is not a cost
	 */
	static Cost parse(String text) {
		if (NUMBER.matcher(text).matches()) {
			return fixed(Long.parseLong(text.replace("_", "")));
		}
		int colon = text.indexOf(':');
		String word = (colon < 0) ? text : text.substring(0, colon);
		String argument = (colon < 0) ? "" : text.substring(colon + 1).trim();
		for (Kind kind : Kind.values()) {
			if (kind.word().equals(word) && kind != Kind.FIXED && argument.isEmpty() == kind.isWhole()) {
				return new Cost(kind, argument, 1);
			}
		}
		throw new IllegalArgumentException("'" + text
				+ "' is not a cost; use a number of at least 1, header:X, param:x, content-length, graphql, or bean:x");
	}

	/**
	 * Return whether the number is only an estimate, which may be settled later.
	 * @return whether the number is read from the request
	 */
	public boolean estimated() {
		return this.kind != Kind.FIXED;
	}

	@Override
	public String toString() {
		return switch (this.kind) {
			case FIXED -> Long.toString(this.units);
			case CONTENT_LENGTH, GRAPHQL -> this.kind.word();
			default -> this.kind.word() + ":" + this.argument;
		};
	}

	/**
	 * The source of the number.
	 */
	public enum Kind {

		/** The rule itself, as a fixed number. */
		FIXED,

		/** A header of the request. */
		HEADER,

		/** A parameter of the query. */
		PARAM,

		/** The length of the request's content, in bytes. */
		CONTENT_LENGTH,

		/** The fields of a GraphQL operation. */
		GRAPHQL,

		/** A {@link dev.ratelimit.CostResolver}. */
		BEAN;

		// Whether the word has no argument.
		private boolean isWhole() {
			return this == CONTENT_LENGTH || this == GRAPHQL;
		}

		String word() {
			return name().toLowerCase(Locale.ROOT).replace('_', '-');
		}

	}

}
