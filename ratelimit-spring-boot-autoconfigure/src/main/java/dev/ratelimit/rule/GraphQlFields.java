package dev.ratelimit.rule;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Internal: the root fields of GraphQL operations that a rule applies to. Immutable.
 *
 * @param patterns the fields, such as {@code Mutation.order} and {@code Query.*}; 1 to
 * 100
 */
public record GraphQlFields(List<Field> patterns) {

	private static final int MAX_FIELDS = 100;

	public GraphQlFields {
		patterns = List.copyOf(patterns);
		if (patterns.isEmpty() || patterns.size() > MAX_FIELDS) {
			throw new IllegalArgumentException("'graphql' must have 1 to " + MAX_FIELDS + " fields");
		}
	}

	/**
	 * Read the fields.
	 * @param texts the fields, such as {@code Mutation.order} and {@code Query.*}
	 * @return the fields
	 * @throws IllegalArgumentException if a text is not a field
	 */
	public static GraphQlFields parse(List<String> texts) {
		return new GraphQlFields(texts.stream().map(Field::parse).toList());
	}

	/**
	 * Whether a root field matches.
	 * @param type the type of the operation
	 * @param name the name of the field
	 * @return whether a pattern matches
	 */
	public boolean match(OperationType type, String name) {
		for (int i = 0; i < this.patterns.size(); i++) {
			if (this.patterns.get(i).matches(type, name)) {
				return true;
			}
		}
		return false;
	}

	@Override
	public String toString() {
		return this.patterns.toString();
	}

	/**
	 * The types of operations.
	 */
	public enum OperationType {

		/** A query. */
		QUERY,

		/** A mutation. */
		MUTATION,

		/** A subscription, which is charged once, when it begins. */
		SUBSCRIPTION;

		@Override
		public String toString() {
			return name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT);
		}

	}

	/**
	 * A pattern of root fields: one field, or all fields with the same beginning.
	 *
	 * @param type the type of the operation
	 * @param name the name of the field, or the beginning of the names
	 * @param prefix whether the name is only the beginning
	 */
	public record Field(OperationType type, String name, boolean prefix) {

		private static final Pattern FORM = Pattern.compile("(\\w+)\\.(\\w*)(\\*?)");

		static Field parse(String text) {
			Matcher parts = FORM.matcher(text);
			if (parts.matches() && (!parts.group(2).isEmpty() || !parts.group(3).isEmpty())) {
				return new Field(type(text, parts.group(1)), parts.group(2), !parts.group(3).isEmpty());
			}
			throw new IllegalArgumentException(
					"'" + text + "' is no root field; write such as 'Query.user', 'Mutation.*', or 'Query.list*'");
		}

		private static OperationType type(String text, String name) {
			return Stream.of(OperationType.values())
				.filter((type) -> type.toString().equals(name))
				.findFirst()
				.orElseThrow(() -> new IllegalArgumentException(
						"'" + text + "' must begin with 'Query.', 'Mutation.', or 'Subscription.'"));
		}

		boolean matches(OperationType operation, String field) {
			return this.type == operation && ((this.prefix) ? field.startsWith(this.name) : field.equals(this.name));
		}

		@Override
		public String toString() {
			return this.type + "." + this.name + ((this.prefix) ? "*" : "");
		}

	}

}
